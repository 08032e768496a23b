"""Bytes, bits and hashes as the page has them, and what to do with bytes that break its rules."""

from functools import reduce
from hashlib import sha256
from operator import xor

from curve import ORDER, lift, on_curve, scalar


class Refused(Exception):
    """Data from `culprit` (0: the sender is unknown) fails a check."""

    def __init__(self, culprit, reason):
        super().__init__(f"participant {culprit}: {reason}")
        self.culprit, self.reason = culprit, reason


def require(condition, culprit, reason):
    if not condition:
        raise Refused(culprit, reason)


def byte(*values):
    return bytes(values)


def number(size, value):
    return value.to_bytes(size, "big")


def bits(data):
    """A byte string whose single bits count, as a number: bit b of it is bit b of the string."""
    return int.from_bytes(data, "little")


def added(*strings):
    return reduce(xor, map(bits, strings)).to_bytes(len(strings[0]), "little")


def chunks(data, size):
    return [data[start : start + size] for start in range(0, len(data), size)]


def fields(sender, data, *sizes):
    require(len(data) == sum(sizes), sender, "size")
    ends = [sum(sizes[: count + 1]) for count in range(len(sizes))]
    return [data[end - size : end] for size, end in zip(sizes, ends)]


def read_point(sender, data):
    point = lift(int.from_bytes(data[1:], "big"), data[0] - 2) if len(data) == 33 and data[0] in (2, 3) else None
    require(point, sender, "no point")
    return point


def read_coordinates(sender, data):
    point = tuple(int.from_bytes(part, "big") for part in chunks(data, 32))
    require(len(point) == 2 and on_curve(point), sender, "no point")
    return point


def read_scalar(sender, data):
    value = int.from_bytes(data, "big")
    require(len(data) == 32 and value < ORDER, sender, "no scalar")
    return value


def H(tag, *parts):
    start = sha256(b"Fueki DKLs23/" + tag.encode()).digest()
    return sha256(start + start + b"".join(number(4, len(part)) + part for part in parts)).digest()


def F(base, *parts):
    return sha256(base + base + b"".join(parts)).digest()


def stream(base, count, *parts):
    """F of these parts and a last byte 0, 1, …, count - 1, one after the other."""
    return b"".join(F(base, *parts, byte(block)) for block in range(count))


def wide_scalar(base, *parts):
    return scalar(stream(base, 2, *parts))
