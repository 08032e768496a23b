"""Set-up of a pair: base OT, the seed, punctured trees.

A is the base sender, B the base receiver. The bits w and Δ are numbers of 256 bits.
"""

from hashlib import sha512

from curve import lift, multiply, negative, point_bytes, times_generator, total
from hashes import F, H, added, byte, chunks, fields, number, read_point, require

ROWS, TREES, DEPTH, LEAVES = 256, 64, 4, 16


def is_base_sender(count, i, j):
    """Whether i is A towards j, of `count` participants."""
    d = (j - i) % count
    return 2 * d < count or (2 * d == count and i < j)


def pair_seed(sid, i, j, shared_point):
    return H("pair seed", sid, byte(min(i, j)), byte(max(i, j)), point_bytes(shared_point))


def hashed_point(h, b, k, r):
    counter, point = 0, None
    while point is None:
        point = lift(int.from_bytes(F(h, byte(b), number(2, k), number(2, counter), r), "big"), 0)
        counter += 1
    return point


def request(sid, a, b, w, t, others):
    """Message 1. `others` are the uniform points r of 1 - w."""
    h, message = H("base ot", sid, byte(a), byte(b)), b""
    for k in range(ROWS):
        bit, other = w >> k & 1, point_bytes(others[k])
        own = point_bytes(total(times_generator(t[k]), negative(hashed_point(h, bit, k, other))))
        message += other + own if bit else own + other
    return message


def answer(sid, a, b, message_1, t):
    """A's part of message 2, and both pads of each instance. t has two scalars of each."""
    h, p = H("base ot", sid, byte(a), byte(b)), H("base ot pads", sid, byte(a), byte(b), message_1)
    r, message, pads = chunks(fields(b, message_1, ROWS * 66)[0], 33), b"", []
    for k in range(ROWS):
        pads.append([])
        for bit in (0, 1):
            m = total(read_point(b, r[2 * k + bit]), hashed_point(h, bit, k, r[2 * k + 1 - bit]))
            require(m, b, "base OT")
            message += point_bytes(times_generator(t[k][bit]))
            pads[k].append(F(p, byte(bit), number(2, k), point_bytes(multiply(t[k][bit], m))))
    return message, pads


def received_pads(sid, a, b, w, t, message_1, message_2):
    """B's pad of each instance."""
    p, pads = H("base ot pads", sid, byte(a), byte(b), message_1), []
    # All of them, also those that are not needed: what is refused must not tell w.
    points = [read_point(a, point) for point in chunks(fields(a, message_2, ROWS * 66)[0], 33)]
    for k in range(ROWS):
        bit = w >> k & 1
        pads.append(F(p, byte(bit), number(2, k), point_bytes(multiply(t[k], points[2 * k + bit]))))
    return pads


# ---- Punctured trees, of S and R


def children(g, i, level, nodes):
    """Level `level` of tree i from the level above it; what is below an unknown node (None) is unknown."""
    return [node and F(g, byte(i, level, b), node) for node in nodes for b in (0, 1)]


def leaf_values(g, i, leaf):
    """seed and check"""
    return leaf and (F(g, byte(i, 5, 0), leaf), F(g, byte(i, 5, 1), leaf) + F(g, byte(i, 5, 2), leaf))


def checks_hash(g, i, checks):
    return sha512(g + g + byte(i) + b"".join(checks)).digest()


def trees(sid, s, r, pads):
    """What S sends, and its 16 seeds of each tree."""
    g, message, seeds = H("punctured trees", sid, byte(s), byte(r)), b"", []
    for i in range(TREES):
        nodes = pads[DEPTH * i]
        for level in (2, 3, 4):
            nodes = children(g, i, level, nodes)
            for b in (0, 1):
                message += added(*nodes[b::2], pads[DEPTH * i + level - 1][b])
        values = [leaf_values(g, i, leaf) for leaf in nodes]
        checks = [check for _, check in values]
        message += added(*checks) + checks_hash(g, i, checks)
        seeds.append([seed for seed, _ in values])
    return message, seeds


def punctured(sid, s, r, w, pads, message):
    """R's Δ, and its seeds of each tree, of y = 1 … 15."""
    g, seeds = H("punctured trees", sid, byte(s), byte(r)), []
    for i, part in enumerate(chunks(fields(s, message, TREES * 320)[0], 320)):
        *sums, checks_sum, claimed = fields(s, part, *[32] * 6, 64, 64)
        path = [w >> (DEPTH * i + level) & 1 for level in range(DEPTH)]
        nodes = [pads[DEPTH * i] if b == path[0] else None for b in (0, 1)]
        for level in (2, 3, 4):
            hole, b = nodes.index(None), path[level - 1]
            nodes = children(g, i, level, nodes)
            known = [node for node in nodes[b::2] if node]
            nodes[2 * hole + b] = added(sums[2 * (level - 2) + b], pads[DEPTH * i + level - 1], *known)
        hole = nodes.index(None)
        values = [leaf_values(g, i, leaf) or (None, checks_sum) for leaf in nodes]
        checks = [check for _, check in values]
        checks[hole] = added(*checks)
        require(checks_hash(g, i, checks) == claimed, s, "punctured trees")
        seeds.append([values[y ^ hole][0] for y in range(1, LEAVES)])
    return w ^ (2**ROWS - 1), seeds
