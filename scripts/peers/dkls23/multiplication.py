"""Two products of S's scalars and R's factor χ, which is that of its choice β: each has shares of both."""

from curve import ORDER, scalar
from hashes import F, H, byte, chunks, fields, number, read_scalar, require

TRANSFERS = 512
SIZE = TRANSFERS * 3 * 32 + 64


def gadget(esid):
    base = H("gadget", esid)
    return [scalar(F(base, number(2, j))) for j in range(TRANSFERS)]


def factor(esid, beta):
    return sum(gamma for j, gamma in enumerate(gadget(esid)) if beta >> j & 1) % ORDER


def challenge(e, masked):
    """The function that makes one scalar of three: value 2 + θ₀ · value 0 + θ₁ · value 1."""
    f = H("multiplication challenge", e, masked)
    theta = [scalar(F(f, byte(p))) for p in (0, 1)]
    return lambda value: (value[2] + theta[0] * value[0] + theta[1] * value[1]) % ORDER


def checksum(e, mu):
    return H("multiplication check", e, b"".join(number(32, value) for value in mu))


def send(esid, e, pads, a, check):
    """S's message, and its shares c of the products."""
    alpha = [[[scalar(pads(j, p, bit)) for p in range(3)] for bit in (0, 1)] for j in range(TRANSFERS)]
    factors, masked = (*a, check), b""
    for zero, one in alpha:
        masked += b"".join(number(32, (zero[p] - one[p] + factors[p]) % ORDER) for p in range(3))
    one_of_three = challenge(e, masked)
    message = masked + number(32, one_of_three(factors)) + checksum(e, [one_of_three(zero) for zero, _ in alpha])
    return message, [-sum(gamma * zero[p] for gamma, (zero, _) in zip(gadget(esid), alpha)) % ORDER for p in (0, 1)]


def receive(esid, e, s, pads, beta, message):
    """R's shares d of the products, after the check of S's message."""
    masked, eta, mu_hash = fields(s, message, SIZE - 64, 32, 32)
    values, eta = [read_scalar(s, value) for value in chunks(masked, 32)], read_scalar(s, eta)
    one_of_three, d, mu = challenge(e, masked), [], []
    for j in range(TRANSFERS):
        bit = beta >> j & 1
        d.append([(scalar(pads(j, p)) + bit * values[3 * j + p]) % ORDER for p in range(3)])
        mu.append((one_of_three(d[j]) - bit * eta) % ORDER)
    require(checksum(e, mu) == mu_hash, s, "multiplication")
    return [sum(gamma * value[p] for gamma, value in zip(gadget(esid), d)) % ORDER for p in (0, 1)]
