#!/usr/bin/env python3
"""Reads a vault as docs/formats/vault.md describes it, with other libraries than Fueki's: an independent check of both.

    read_vault.py VAULT PASSPHRASE [--parts]

Prints `generation N`, and a line `service account attributes secret-in-hex` for each item; with --parts, every field.
Needs the Python package `cryptography` (44 or later).
"""
import hashlib
import hmac
import sys
import unicodedata

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if self.at + size > len(self.data):
            sys.exit("truncated")
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size):
        return int.from_bytes(self.take(size), "big")


def derive(secret, salt, info, version=1):
    return HKDF(hashes.SHA256(), 32, salt, b"fueki vault v%d " % version + info).derive(secret)


def unseal(key, sealed, context):
    return AESGCM(key).decrypt(bytes(12), sealed, context)


def main(path, passphrase, show):
    data = open(path, "rb").read()
    given, normalised = passphrase.encode(), unicodedata.normalize("NFKD", passphrase).encode()

    def part(label, value):
        if show:
            print(f"{label:<22}{value.hex() if isinstance(value, bytes) else value}")

    assert hashlib.sha256(data[:-32]).digest() == data[-32:], "damaged"
    file = Cursor(data)
    assert file.take(8) == b"FuekiVlt"
    version = file.number(2)
    assert version in (1, 2, 3) and file.number(4) == len(data)
    vault = file.take(16)
    generation = file.number(8)
    part("vault id", vault)
    part("generation", generation)
    if version > 1:
        part("counted by device", file.number(1))
    master = None
    for _ in range(file.number(1)):
        start = file.at
        number, kind = file.number(1), file.number(1)
        sealed = None
        passphrase = normalised if kind in (4, 5) else given
        if kind in (3, 5):
            file.number(1)
        if kind in (1, 3, 4, 5):
            memory, passes = file.number(4), file.number(4)
            salt = file.take(16)
            stretched = Argon2id(salt=salt, length=32, iterations=passes, lanes=1, memory_cost=memory).derive(passphrase)
        else:
            rounds = file.number(4)
            salt = file.take(16)
            stretched = hashlib.pbkdf2_hmac("sha256", passphrase, salt, rounds)
        if kind in (3, 5):
            sealed = file.take(file.number(2))
        context = vault + data[start : file.at]
        wrapped = file.take(48)
        part(f"slot {number} salt", salt)
        part("  stretched", stretched)
        if kind in (3, 5):
            authorization = derive(stretched, vault, b"device authorization", 2)
            part("  authorization", authorization)
            # The device of the golden file: exclusive or. A real one opens its secret itself.
            secret = bytes(a ^ b for a, b in zip(sealed, authorization))
            wrapping = derive(stretched + secret, vault, b"device slot", 2)
        else:
            wrapping = derive(stretched, vault, b"slot")
        part("  wrapping key", wrapping)
        part("  wrapped", wrapped)
        try:
            master = unseal(wrapping, wrapped, context)
        except Exception:
            part("  opens", "no")
    assert master, "wrong passphrase"
    part("master key", master)
    index_salt = file.take(32)
    sealed_index = file.take(file.number(4))
    header = data[: file.at]
    mac = file.take(32)
    part("MAC key", derive(master, vault, b"header"))
    part("MAC", mac)
    assert hmac.compare_digest(hmac.digest(derive(master, vault, b"header"), header, "sha256"), mac), "tampered"
    part("index salt", index_salt)
    part("index key", derive(master, index_salt, b"index"))
    plain = unseal(derive(master, index_salt, b"index"), sealed_index, vault + generation.to_bytes(8, "big"))
    part("index", plain)
    index = Cursor(plain)
    print("generation", generation)
    for _ in range(index.number(2)):
        start = index.at
        service = index.take(index.number(1))
        account = index.take(index.number(1))
        attributes = index.take(4)
        index.take(8)
        context = vault + plain[start : index.at]
        salt, size, digest = index.take(32), index.number(4), index.take(32)
        sealed = file.take(size)
        assert hashlib.sha256(sealed).digest() == digest, "item"
        part("item salt", salt)
        part("item key", derive(master, salt, b"item"))
        part("sealed item", sealed)
        secret = unseal(derive(master, salt, b"item"), sealed, context)
        print(service.decode(), account.decode(), attributes.hex(), secret.hex())
    assert index.at == len(plain) and file.at == len(data) - 32, "left over"


main(sys.argv[1], sys.argv[2], "--parts" in sys.argv)
