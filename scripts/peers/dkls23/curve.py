"""secp256k1 by plain integers, for the model in dkls23.py. Slow, and its time reveals the scalar.

A point is (x, y), or None: the identity. Sums are kept as (X, Y, Z) with x = X/Z², y = Y/Z³.
"""

from functools import reduce

PRIME = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141

ZERO = (0, 1, 0)


def double(point):
    x, y, z = point
    yy = y * y % PRIME
    s, m = 4 * x * yy % PRIME, 3 * x * x % PRIME
    x3 = (m * m - 2 * s) % PRIME
    return x3, (m * (s - x3) - 8 * yy * yy) % PRIME, 2 * y * z % PRIME


def plus(point, affine):
    x, y, z = point
    if z == 0:
        return affine + (1,)
    zz = z * z % PRIME
    h, r = (affine[0] * zz - x) % PRIME, (affine[1] * zz * z - y) % PRIME
    if h == 0:
        return double(point) if r == 0 else ZERO
    hh = h * h % PRIME
    hhh, v = h * hh % PRIME, x * hh % PRIME
    x3 = (r * r - hhh - 2 * v) % PRIME
    return x3, (r * (v - x3) - y * hhh) % PRIME, z * h % PRIME


def affine(point):
    x, y, z = point
    if z == 0:
        return None
    inverse = pow(z, -1, PRIME)
    return x * inverse**2 % PRIME, y * inverse**3 % PRIME


def total(*points):
    return affine(reduce(plus, (point for point in points if point), ZERO))


def negative(point):
    return point and (point[0], PRIME - point[1])


def multiply(scalar, point):
    result = ZERO
    for bit in bin(scalar % ORDER)[2:] if point else "":
        result = double(result)
        if bit == "1":
            result = plus(result, point)
    return affine(result)


def lift(x, odd):
    """The point with this x and parity of y, or None if it does not exist."""
    y = pow(x**3 + 7, (PRIME + 1) // 4, PRIME)
    if x >= PRIME or (y * y - x**3 - 7) % PRIME:
        return None
    return x, y if y % 2 == odd else PRIME - y


G = lift(0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0)
POWERS = [G]  # 2^b times G
while len(POWERS) < 256:
    POWERS.append(total(POWERS[-1], POWERS[-1]))


def times_generator(scalar):
    scalar %= ORDER
    return affine(reduce(plus, (power for bit, power in enumerate(POWERS) if scalar >> bit & 1), ZERO))


def point_bytes(point):
    return bytes([2 + point[1] % 2]) + point[0].to_bytes(32, "big")


def coordinates(point):
    return b"".join(number.to_bytes(32, "big") for number in point)


def on_curve(point):
    x, y = point
    return x < PRIME and y < PRIME and (y * y - x**3 - 7) % PRIME == 0


def scalar(data):
    """The big-endian number modulo the order."""
    return int.from_bytes(data, "big") % ORDER


# ---- ECDSA with one key, as verified


def verify(public_key, message, r, s):
    if not (0 < r < ORDER and 0 < s < ORDER):
        return False
    inverse = pow(s, -1, ORDER)
    point = total(times_generator(scalar(message) * inverse), multiply(r * inverse, public_key))
    return point is not None and point[0] % ORDER == r


def recovered(message, r, s, recovery):
    point, inverse = lift(r + (recovery >> 1) * ORDER, recovery & 1), pow(r, -1, ORDER)
    return total(multiply(s * inverse, point), times_generator(-scalar(message) * inverse))
