"""XChaCha20-Poly1305 (RFC 8439, draft-irtf-cfrg-xchacha-03), for the model in dkls23.py."""

import struct

MASK = 0xFFFFFFFF


class Forged(Exception):
    pass


def rotated(value, count):
    return (value << count | value >> (32 - count)) & MASK


def quarter_round(s, a, b, c, d):
    s[a] = (s[a] + s[b]) & MASK
    s[d] = rotated(s[d] ^ s[a], 16)
    s[c] = (s[c] + s[d]) & MASK
    s[b] = rotated(s[b] ^ s[c], 12)
    s[a] = (s[a] + s[b]) & MASK
    s[d] = rotated(s[d] ^ s[a], 8)
    s[c] = (s[c] + s[d]) & MASK
    s[b] = rotated(s[b] ^ s[c], 7)


def initial(key, last):
    """The state of 16 words; `last` are its last 16 bytes."""
    return list(struct.unpack("<16I", b"expand 32-byte k" + key + last))


def permuted(state):
    state = list(state)
    for _ in range(10):
        for i in range(4):
            quarter_round(state, i, i + 4, i + 8, i + 12)
        for i in range(4):
            quarter_round(state, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12)
    return state


def subkey(key, nonce):
    """HChaCha20: no sum at the end, and only the first and last four words."""
    state = permuted(initial(key, nonce))
    return struct.pack("<8I", *state[:4], *state[12:])


def block(key, counter, nonce):
    state = initial(key, struct.pack("<I", counter) + nonce)
    return struct.pack("<16I", *((old + new) & MASK for old, new in zip(state, permuted(state))))


def encrypted(key, nonce, text):
    stream = b"".join(block(key, counter + 1, nonce) for counter in range((len(text) + 63) // 64))
    return bytes(a ^ b for a, b in zip(text, stream))


def poly1305(key, message):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for start in range(0, len(message), 16):
        total = (total + int.from_bytes(message[start : start + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def tag(key, nonce, header, ciphertext):
    def filled(data):
        return data + bytes(-len(data) % 16)

    lengths = struct.pack("<QQ", len(header), len(ciphertext))
    return poly1305(block(key, 0, nonce)[:32], filled(header) + filled(ciphertext) + lengths)


def seal(key, nonce, header, text):
    """The ciphertext and its tag; `header` is associated data. The nonce has 24 bytes."""
    key, nonce = subkey(key, nonce[:16]), bytes(4) + nonce[16:]
    ciphertext = encrypted(key, nonce, text)
    return ciphertext + tag(key, nonce, header, ciphertext)


def unseal(key, nonce, header, sealed):
    """Throws Forged if it is not what was sealed with this header."""
    key, nonce, ciphertext = subkey(key, nonce[:16]), bytes(4) + nonce[16:], sealed[:-16]
    if tag(key, nonce, header, ciphertext) != sealed[-16:]:
        raise Forged
    return encrypted(key, nonce, ciphertext)
