"""Set-up of a pair: base OT, the seed, punctured trees.

A is the base sender, B the base receiver. The bits w and Δ are numbers of 256 bits.
"""

from hashlib import sha512

from curve import coordinates, lift, multiply, negative, on_curve, point_bytes, times_generator, total
from hashes import F, H, added, byte, chunks, fields, number, read_coordinates, require

ROWS, TREES, DEPTH, LEAVES = 256, 64, 4, 16


def is_base_sender(count, i, j):
    """Whether i is A towards j, of `count` participants."""
    d = (j - i) % count
    return 2 * d < count or (2 * d == count and i < j)


def pair_seed(sid, i, j, shared_point):
    return H("pair seed", sid, byte(min(i, j)), byte(max(i, j)), point_bytes(shared_point))


def candidate(h, b, k, c, r):
    return int.from_bytes(F(h, byte(b), number(2, k), byte(c), r), "big")


def hashed_point(h, b, k, r):
    """P for the first c for which there is one, and what tells the other side: c ‖ y."""
    for c in range(256):
        if point := lift(candidate(h, b, k, c, r), 0):
            return point, byte(c) + number(32, point[1])
    raise AssertionError("no point")


def told_point(sender, h, b, k, r, hint):
    point = candidate(h, b, k, hint[0], r), int.from_bytes(hint[1:], "big")
    require(on_curve(point) and point[1] % 2 == 0, sender, "no point")
    return point


def request(sid, a, b, w, t, others):
    """Message 1. `others` are the uniform points r of 1 - w."""
    h, message = H("base ot", sid, byte(a), byte(b)), b""
    for k in range(ROWS):
        bit, r = w >> k & 1, [others[k], others[k]]
        r[bit] = total(times_generator(t[k]), negative(hashed_point(h, bit, k, point_bytes(others[k]))[0]))
        message += b"".join(map(coordinates, r))
        message += b"".join(hashed_point(h, b, k, point_bytes(r[1 - b]))[1] for b in (0, 1))
    return message


def answer(sid, a, b, message_1, t):
    """A's part of message 2, and both pads of each instance. t has two scalars of each."""
    h, p = H("base ot", sid, byte(a), byte(b)), H("base ot pads", sid, byte(a), byte(b), message_1)
    message, pads = b"", []
    for k, part in enumerate(chunks(fields(b, message_1, ROWS * 194)[0], 194)):
        *texts, hint_0, hint_1 = fields(b, part, 64, 64, 33, 33)
        r = [read_coordinates(b, text) for text in texts]
        pads.append([])
        for bit, hint in enumerate((hint_0, hint_1)):
            m = total(r[bit], told_point(b, h, bit, k, point_bytes(r[1 - bit]), hint))
            require(m, b, "base OT")
            message += coordinates(times_generator(t[k][bit]))
            pads[k].append(F(p, byte(bit), number(2, k), point_bytes(multiply(t[k][bit], m))))
    return message, pads


def received_pads(sid, a, b, w, t, message_1, message_2):
    """B's pad of each instance."""
    p, pads = H("base ot pads", sid, byte(a), byte(b), message_1), []
    # All of them, also those that are not needed: what is refused must not tell w.
    points = [read_coordinates(a, text) for text in chunks(fields(a, message_2, ROWS * 128)[0], 64)]
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
