"""Verifies an exported audit log without any code of Fueki: tiles, bundles, checkpoints, cosignatures and proofs by the
C2SP specifications and RFC 6962, seals by docs/formats/audit-log.md. It reads one JSON value and answers with one.

    {"command": "export", "folder": ..., "log": VKEY, "witnesses": [VKEY, ...], "reader": HEX or null}
        -> {"size": ..., "root": HEX, "history": [SIZE, ...], "cosigned": [TIME or null, ...], "events": [[CODE, HEX], ...]}
    {"command": "proof", "proof": TEXT, "entry": HEX, "log": VKEY}
        -> {"size": ..., "index": ...}
    {"command": "request", "body": TEXT, "log": VKEY, "root": HEX of the root at the old size}
        -> {"old": ..., "size": ...}

Anything that does not verify ends the program with an error.
"""

import base64
import hashlib
import hmac
import json
import os
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def sha256(data):
    return hashlib.sha256(data).digest()


def leaf_hash(entry):
    return sha256(b"\x00" + entry)


def tree_root(hashes):
    """RFC 6962, section 2.1, over hashes of leaves."""
    if not hashes:
        return sha256(b"")
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return sha256(b"\x01" + tree_root(hashes[:split]) + tree_root(hashes[split:]))


def demand(condition, what):
    if not condition:
        raise SystemExit(f"audit_verify: {what}")


# Notes


class Key:
    def __init__(self, text):
        self.name, key_id, material = text.split("+", 2)
        material = base64.b64decode(material, validate=True)
        self.kind, self.public = material[0], material[1:]
        self.id = sha256(self.name.encode() + b"\n" + material)[:4]
        demand(self.id.hex() == key_id, "the id of a key is wrong")

    def verify(self, signature, message):
        Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)


def read_note(data):
    text, signatures = data.decode().rsplit("\n\n", 1)
    text += "\n"
    lines = []
    for line in signatures.splitlines():
        dash, name, encoded = line.split(" ")
        demand(dash == "\u2014", "a line is not a signature")
        lines.append((name, base64.b64decode(encoded, validate=True)))
    return text, lines


def read_checkpoint(data, key):
    text, lines = read_note(data)
    own = [blob[4:] for name, blob in lines if name == key.name and blob[:4] == key.id]
    demand(own, "the log did not sign the checkpoint")
    for signature in own:
        key.verify(signature, text.encode())
    origin, size, root, end = text.split("\n")
    demand(origin == key.name and end == "" and str(int(size)) == size, "the checkpoint is not well formed")
    return int(size), base64.b64decode(root, validate=True), text, lines


def cosignature_time(text, lines, key):
    for name, blob in lines:
        if name == key.name and blob[:4] == key.id:
            time = int.from_bytes(blob[4:12], "big")
            key.verify(blob[12:], f"cosignature/v1\ntime {time}\n{text}".encode())
            return time
    return None


# Proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2)


def verify_inclusion(leaf, index, size, path, root):
    demand(index < size, "the index is outside of the tree")
    node, last, value = index, size - 1, leaf
    for sibling in path:
        demand(last != 0, "the path is too long")
        if node & 1 or node == last:
            value = sha256(b"\x01" + sibling + value)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            value = sha256(b"\x01" + value + sibling)
        node, last = node >> 1, last >> 1
    demand(last == 0 and value == root, "the path does not lead to the root")


def verify_consistency(old, old_root, new, new_root, proof):
    demand(old <= new, "the old tree is larger")
    if old == 0:
        demand(not proof, "the empty tree needs no proof")
        return
    if old == new:
        demand(not proof and old_root == new_root, "the roots of one size differ")
        return
    if old & (old - 1) == 0:
        proof = [old_root] + proof
    demand(proof, "the proof is empty")
    node, last = old - 1, new - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    first = second = proof[0]
    for sibling in proof[1:]:
        demand(last != 0, "the proof is too long")
        if node & 1 or node == last:
            first = sha256(b"\x01" + sibling + first)
            second = sha256(b"\x01" + sibling + second)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            second = sha256(b"\x01" + second + sibling)
        node, last = node >> 1, last >> 1
    demand(last == 0 and first == old_root and second == new_root, "the proof does not lead to the roots")


# Tiles


def tile_path(level, index, width):
    groups = []
    while True:
        groups.append(f"{index % 1000:03}")
        index //= 1000
        if not index:
            break
    groups.reverse()
    number = "/".join(["x" + group for group in groups[:-1]] + groups[-1:])
    return f"tile/{level}/{number}" + (f".p/{width}" if width < 256 else "")


def read_tiles(folder, size):
    """Reads every tile and bundle of a tree, compares them with each other, and returns the entries."""

    def read(path):
        with open(os.path.join(folder, path), "rb") as file:
            return file.read()

    entries, level, count, below = [], 0, size, None
    while count:
        hashes = []
        for index in range((count + 255) // 256):
            width = min(256, count - index * 256)
            data = read(tile_path(level, index, width))
            demand(len(data) == 32 * width, "a tile has another size")
            hashes += [data[at : at + 32] for at in range(0, len(data), 32)]
            if level == 0:
                bundle, offset = read(tile_path("entries", index, width)), 0
                for _ in range(width):
                    length = int.from_bytes(bundle[offset : offset + 2], "big")
                    entries.append(bundle[offset + 2 : offset + 2 + length])
                    demand(len(entries[-1]) == length, "a bundle is cut off")
                    offset += 2 + length
                demand(offset == len(bundle), "a bundle has more entries")
        if level == 0:
            demand(hashes == [leaf_hash(entry) for entry in entries], "an entry has another hash than its tile says")
        else:
            full = [tree_root(below[at : at + 256]) for at in range(0, count * 256, 256)]
            demand(hashes == full, "a hash is not the root of the tile below")
        below, level, count = hashes, level + 1, count >> 8
    return entries


# Seals: HPKE in base mode with X25519, HKDF-SHA256 and ChaCha20-Poly1305 (RFC 9180), and AES-256-GCM


def extract(salt, key):
    return hmac.digest(salt or b"\x00" * 32, key, "sha256")


def expand(key, info, length):
    output, block, counter = b"", b"", 1
    while len(output) < length:
        block = hmac.digest(key, block + info + bytes([counter]), "sha256")
        output, counter = output + block, counter + 1
    return output[:length]


def hkdf(key, salt, info):
    return expand(extract(salt, key), info, 32)


def hpke_open(secret, envelope, info):
    private = X25519PrivateKey.from_private_bytes(secret)
    public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    encapsulated, ciphertext = envelope[:32], envelope[32:]

    def labeled_extract(suite, salt, label, key):
        return extract(salt, b"HPKE-v1" + suite + label + key)

    def labeled_expand(suite, key, label, info, length):
        return expand(key, length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info, length)

    kem = b"KEM" + (0x0020).to_bytes(2, "big")
    shared = private.exchange(X25519PublicKey.from_public_bytes(encapsulated))
    shared = labeled_expand(
        kem, labeled_extract(kem, b"", b"eae_prk", shared), b"shared_secret", encapsulated + public, 32)  # fmt: skip
    suite = b"HPKE" + b"".join(number.to_bytes(2, "big") for number in (0x0020, 0x0001, 0x0003))
    context = b"\x00" + labeled_extract(suite, b"", b"psk_id_hash", b"") + labeled_extract(suite, b"", b"info_hash", info)
    secret = labeled_extract(suite, shared, b"secret", b"")
    key = labeled_expand(suite, secret, b"key", context, 32)
    nonce = labeled_expand(suite, secret, b"base_nonce", context, 12)
    return ChaCha20Poly1305(key).decrypt(nonce, ciphertext, b"")


def open_entries(entries, origin, secret):
    public = X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    name = origin.encode()
    log = sha256(b"FuekiLog\x01" + bytes([len(name)]) + name + public)
    secrets, key, events = {}, None, []
    for sequence, entry in enumerate(entries):
        number = sequence.to_bytes(8, "big")
        demand(entry[0] == 1, "an entry has another version")
        epoch, nonce, header = entry[2:6], entry[6:18], 18
        if entry[1] == 1:
            flag, predecessor = entry[18], entry[19:23]
            content = hpke_open(secret, entry[23:135], b"fueki audit v1 envelope" + log + number)
            fresh, own = content[:32], content[32:]
            if flag:
                made = hkdf(secrets[predecessor], fresh, b"fueki audit v1 next epoch" + log + epoch)
            else:
                made = hkdf(fresh, b"", b"fueki audit v1 first epoch" + log + epoch)
            demand(made == own, "an epoch does not continue the one before")
            secrets[epoch], header = own, 135
            key = (epoch, hkdf(own, b"", b"fueki audit v1 entries"))
        demand(key and key[0] == epoch, "an entry belongs to another epoch")
        aad = b"fueki audit v1 entry" + log + number + entry[:header]
        text = AESGCM(key[1]).decrypt(nonce, entry[header:], aad)
        length = int.from_bytes(text[:2], "big")
        record = text[2 : 2 + length]
        demand(len(text) % 64 == 0 and not any(text[2 + length :]), "the padding is wrong")
        demand(record[0] == 1 and len(record) == 22 + int.from_bytes(record[20:22], "big"), "a record is not well formed")
        events.append([int.from_bytes(record[17:19], "big"), record[22:].hex()])
    return events


# Commands


def check_export(request):
    folder, key = request["folder"], Key(request["log"])
    with open(os.path.join(folder, "checkpoint"), "rb") as file:
        size, root, text, lines = read_checkpoint(file.read(), key)
    entries = read_tiles(folder, size)
    hashes = [leaf_hash(entry) for entry in entries]
    demand(tree_root(hashes) == root, "the tiles have another root than the checkpoint")
    history = []
    past = os.path.join(folder, "history")
    for name in sorted(os.listdir(past), key=int) if os.path.isdir(past) else []:
        with open(os.path.join(past, name), "rb") as file:
            old_size, old_root, _, _ = read_checkpoint(file.read(), key)
        demand(str(old_size) == name and old_size <= size, "a checkpoint has another size than its name")
        demand(tree_root(hashes[:old_size]) == old_root, "the log does not continue an earlier checkpoint")
        history.append(old_size)
    cosigned = [cosignature_time(text, lines, Key(witness)) for witness in request["witnesses"]]
    events = []
    if request["reader"]:
        events = open_entries(entries, key.name, bytes.fromhex(request["reader"]))
    return {"size": size, "root": root.hex(), "history": history, "cosigned": cosigned, "events": events}


def check_proof(request):
    header, rest = request["proof"].split("\n\n", 1)
    lines = header.split("\n")
    demand(lines[0] == "c2sp.org/tlog-proof@v1" and lines[1].startswith("index "), "not a proof")
    index, path = int(lines[1][6:]), [base64.b64decode(line, validate=True) for line in lines[2:]]
    size, root, _, _ = read_checkpoint(rest.encode(), Key(request["log"]))
    verify_inclusion(leaf_hash(bytes.fromhex(request["entry"])), index, size, path, root)
    return {"size": size, "index": index}


def check_request(request):
    header, rest = request["body"].split("\n\n", 1)
    lines = header.split("\n")
    demand(lines[0].startswith("old "), "not a request")
    old, proof = int(lines[0][4:]), [base64.b64decode(line, validate=True) for line in lines[1:]]
    size, root, _, _ = read_checkpoint(rest.encode(), Key(request["log"]))
    verify_consistency(old, bytes.fromhex(request["root"]), size, root, proof)
    return {"old": old, "size": size}


def main():
    request = json.load(sys.stdin)
    commands = {"export": check_export, "proof": check_proof, "request": check_request}
    json.dump(commands[request["command"]](request), sys.stdout)


if __name__ == "__main__":
    main()
