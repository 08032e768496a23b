"""The three suites: a group, its tagged hash, proofs of possession and host signatures. By plain integers: slow, and the time
tells the secrets.

A suite has the same names for both groups. A point is what its group makes it; None is the identity.
"""

import os
import sys
from hashlib import sha256, sha512

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "dkls23"))

import curve as secp256k1


def number(value):
    return value.to_bytes(4, "big")


class Refused(Exception):
    """Bytes that break a rule of the format."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


class Secp256k1:
    ORDER, CODE, POINT = secp256k1.ORDER, 1, 33
    generator = secp256k1.G
    multiply = staticmethod(secp256k1.multiply)
    add = staticmethod(secp256k1.total)
    negative = staticmethod(secp256k1.negative)
    encode = staticmethod(secp256k1.point_bytes)

    def __init__(self, domain):
        self.domain = domain

    def decode(self, data):
        require(len(data) == 33 and data[0] in (2, 3), "point")
        point = secp256k1.lift(int.from_bytes(data[1:], "big"), data[0] - 2)
        require(point, "point")
        return point

    def scalar_bytes(self, scalar):
        return scalar.to_bytes(32, "big")

    def integer(self, data):
        return int.from_bytes(data, "big")

    def digest(self, data):
        return sha256(data).digest()

    def tagged(self, tag, *parts):
        return self.digest(self.digest(tag) * 2 + b"".join(parts))

    def signed(self, tag, secret, message, auxiliary):
        """BIP-340, with other tags."""
        public = self.multiply(secret, self.generator)
        x = public[0].to_bytes(32, "big")
        secret = secret if public[1] % 2 == 0 else self.ORDER - secret
        masked = secret ^ int.from_bytes(self.tagged(tag + b"/aux", auxiliary), "big")
        nonce = self.integer(self.tagged(tag + b"/nonce", masked.to_bytes(32, "big"), x, message)) % self.ORDER
        point = self.multiply(nonce, self.generator)
        nonce = nonce if point[1] % 2 == 0 else self.ORDER - nonce
        r = point[0].to_bytes(32, "big")
        challenge = self.integer(self.tagged(tag + b"/challenge", r, x, message))
        return r + self.scalar_bytes((nonce + challenge * secret) % self.ORDER)

    def is_signed(self, tag, signature, public, message):
        r, s, x = signature[:32], self.integer(signature[32:]), public[0].to_bytes(32, "big")
        challenge = self.integer(self.tagged(tag + b"/challenge", r, x, message))
        even = secp256k1.lift(public[0], 0)
        point = self.add(self.multiply(s, self.generator), self.negative(self.multiply(challenge, even)))
        return len(signature) == 64 and s < self.ORDER and point is not None and self.encode(point) == b"\x02" + r

    @property
    def proof_tag(self):
        return self.domain + b"pop message"

    signature_tag = b"BIP0340"


class Ed25519:
    PRIME = 2**255 - 19
    ORDER = 2**252 + 27742317777372353535851937790883648493
    CODE, POINT = 2, 32
    D = -121665 * pow(121666, -1, PRIME) % PRIME

    def __init__(self, domain):
        self.domain = domain
        self.generator = self.on_curve((4 * pow(5, -1, self.PRIME) % self.PRIME).to_bytes(32, "little"))

    def add(self, *points):
        x, y = 0, 1
        for u, v in (point for point in points if point):
            product = self.D * x * u * y * v % self.PRIME
            x, y = (
                (x * v + y * u) * pow(1 + product, -1, self.PRIME) % self.PRIME,
                (y * v + x * u) * pow(1 - product, -1, self.PRIME) % self.PRIME,
            )
        return None if (x, y) == (0, 1) else (x, y)

    def multiply(self, scalar, point):
        result = None
        for bit in bin(scalar)[2:]:
            result = self.add(result, result)
            if bit == "1":
                result = self.add(result, point)
        return result

    def negative(self, point):
        return point and (-point[0] % self.PRIME, point[1])

    def encode(self, point):
        return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")

    def on_curve(self, data):
        """RFC 8032, 5.1.3."""
        y = int.from_bytes(data, "little")
        sign, y = y >> 255, y & (1 << 255) - 1
        require(len(data) == 32 and y < self.PRIME, "point")
        square = (y * y - 1) * pow(self.D * y * y + 1, -1, self.PRIME) % self.PRIME
        x = pow(square, (self.PRIME + 3) // 8, self.PRIME)
        if x * x % self.PRIME != square:
            x = x * pow(2, (self.PRIME - 1) // 4, self.PRIME) % self.PRIME
        require(x * x % self.PRIME == square and (x or not sign), "point")
        return (x if x & 1 == sign else self.PRIME - x), y

    def decode(self, data):
        """Points of prime order only."""
        point = self.on_curve(data)
        require(point != (0, 1) and self.multiply(self.ORDER, point) is None, "point")
        return point

    def scalar_bytes(self, scalar):
        return scalar.to_bytes(32, "little")

    def integer(self, data):
        return int.from_bytes(data, "little")

    def digest(self, data):
        return sha512(data).digest()

    def tagged(self, tag, *parts):
        return self.digest(self.digest(tag) * 2 + b"".join(parts))

    def signed(self, tag, secret, message, auxiliary):
        public = self.encode(self.multiply(secret, self.generator))
        seed = self.scalar_bytes(secret) + auxiliary
        nonce = self.integer(self.tagged(tag + b"/nonce", seed, public, message)) % self.ORDER
        r = self.encode(self.multiply(nonce, self.generator))
        challenge = self.integer(self.tagged(tag + b"/challenge", r, public, message))
        return r + self.scalar_bytes((nonce + challenge * secret) % self.ORDER)

    def is_signed(self, tag, signature, public, message):
        r, s = signature[:32], self.integer(signature[32:])
        challenge = self.integer(self.tagged(tag + b"/challenge", r, self.encode(public), message)) % self.ORDER
        point = self.add(self.multiply(s, self.generator), self.negative(self.multiply(challenge, public)))
        return len(signature) == 64 and s < self.ORDER and point is not None and self.encode(point) == r

    @property
    def proof_tag(self):
        return self.domain + b"pop message"

    @property
    def signature_tag(self):
        return self.domain + b"host signature"


SUITES = {
    "bip340": Secp256k1(b"BIP DKG/"),
    "ecdsa": Secp256k1(b"Fueki ECDSA/"),
    "ed25519": Ed25519(b"Fueki DKG/"),
}
