"""Set-up of a pair: base OT, the seed, punctured trees.

A is the base sender, B the base receiver. The bits w and Δ are numbers, of as many bits as there are rows.
"""

from hashlib import sha512

from curve import coordinates, lift, multiply, negative, on_curve, point_bytes, times_generator, total
from hashes import F, H, added, byte, chunks, fields, number, read_coordinates, require

BASE, ROWS, DEPTH, LEAVES = 128, 256, 4, 16


def is_base_sender(count, i, j):
    """Whether i is A towards j, of `count` participants."""
    d = (j - i) % count
    return 2 * d < count or (2 * d == count and i < j)


def pair_seed(sid, i, j, shared_point):
    return H("pair seed", sid, byte(min(i, j)), byte(max(i, j)), point_bytes(shared_point))


def candidate(h, b, k, r):
    return int.from_bytes(F(h, byte(b), number(2, k), r), "big")


def hashed_point(h, b, k, r):
    """P, or None."""
    return lift(candidate(h, b, k, point_bytes(r)), 0)


def told_point(sender, h, b, k, r, y):
    point = candidate(h, b, k, point_bytes(r)), int.from_bytes(y, "big")
    require(on_curve(point) and point[1] % 2 == 0, sender, "no point")
    return point


def chosen(h, bit, k, draws):
    """t, and both points r of one instance."""
    while not (mask := hashed_point(h, bit, k, other := draws.point())):
        pass
    while True:
        t = draws.scalar()
        own = total(times_generator(t), negative(mask))
        if own and hashed_point(h, 1 - bit, k, own):
            return t, (other, own) if bit else (own, other)


def request(sid, a, b, w, draws):
    """Message 1, and t of each instance."""
    h, message, scalars = H("base ot", sid, byte(a), byte(b)), b"", []
    for k in range(BASE):
        t, r = chosen(h, w >> k & 1, k, draws)
        scalars.append(t)
        message += b"".join(map(coordinates, r))
        message += b"".join(number(32, hashed_point(h, bit, k, r[1 - bit])[1]) for bit in (0, 1))
    return message, scalars


def answer(sid, a, b, message_1, t):
    """A's part of message 2, and both pads of each instance. t has two scalars of each."""
    h, p = H("base ot", sid, byte(a), byte(b)), H("base ot pads", sid, byte(a), byte(b), message_1)
    message, pads = b"", []
    for k, part in enumerate(chunks(fields(b, message_1, BASE * 192)[0], 192)):
        *texts, y_0, y_1 = fields(b, part, 64, 64, 32, 32)
        r = [read_coordinates(b, text) for text in texts]
        pads.append([])
        for bit, y in enumerate((y_0, y_1)):
            m = total(r[bit], told_point(b, h, bit, k, r[1 - bit], y))
            require(m, b, "base OT")
            message += coordinates(times_generator(t[k][bit]))
            pads[k].append(F(p, byte(bit), number(2, k), point_bytes(multiply(t[k][bit], m))))
    return message, pads


def received_pads(sid, a, b, w, t, message_1, message_2):
    """B's pad of each instance."""
    p, pads = H("base ot pads", sid, byte(a), byte(b), message_1), []
    # All points are read, including unneeded ones: a refusal must not reveal w.
    points = [read_coordinates(a, text) for text in chunks(fields(a, message_2, BASE * 128)[0], 64)]
    for k in range(BASE):
        bit = w >> k & 1
        pads.append(F(p, byte(bit), number(2, k), point_bytes(multiply(t[k], points[2 * k + bit]))))
    return pads


# ---- Punctured trees, of S and R


def children(g, i, level, nodes):
    """Level `level` of tree i from the level above it; the children of an unknown node (None) are unknown."""
    return [node and F(g, byte(i, level, b), node) for node in nodes for b in (0, 1)]


def leaf_values(g, i, leaf):
    """seed and check"""
    return leaf and (F(g, byte(i, 5, 0), leaf), F(g, byte(i, 5, 1), leaf) + F(g, byte(i, 5, 2), leaf))


def checks_hash(g, i, checks):
    return sha512(g + g + byte(i) + b"".join(checks)).digest()


def trees_base(sid, s, r, rows):
    return H("punctured trees", sid, number(2, rows), byte(s), byte(r))


def trees(sid, s, r, pads):
    """What S sends, g, and the nodes of level 1 of each tree. There are as many rows as pads."""
    g, message = trees_base(sid, s, r, len(pads)), b""
    roots = pads[::DEPTH]
    for i, nodes in enumerate(roots):
        for level in (2, 3, 4):
            nodes = children(g, i, level, nodes)
            for b in (0, 1):
                message += added(*nodes[b::2], pads[DEPTH * i + level - 1][b])
        checks = [leaf_values(g, i, leaf)[1] for leaf in nodes]
        message += added(*checks) + checks_hash(g, i, checks)
    return message, g, roots


def all_seeds(g, roots):
    """S's 16 seeds of each tree."""
    seeds = []
    for i, nodes in enumerate(roots):
        for level in (2, 3, 4):
            nodes = children(g, i, level, nodes)
        seeds.append([leaf_values(g, i, leaf)[0] for leaf in nodes])
    return seeds


def path(bits, i):
    """The bits of tree i, of level 1 first."""
    return [bits >> (DEPTH * i + level) & 1 for level in range(DEPTH)]


def grown(g, i, known, node_beside):
    """All nodes of level 4 but the one whose siblings on the path are known, None for that one. `known` has the bit of the
    known sibling of each level; `node_beside` gives the sibling, from all others of its level."""
    nodes = [None, None]
    nodes[known[0]] = node_beside(1, [])
    for level in (2, 3, 4):
        hole, b = nodes.index(None), known[level - 1]
        nodes = children(g, i, level, nodes)
        nodes[2 * hole + b] = node_beside(level, [node for node in nodes[b::2] if node])
    return nodes


def punctured(sid, s, r, w, pads, message):
    """R's Δ, g and the co-path of each tree."""
    g, co_paths = trees_base(sid, s, r, len(pads)), []
    for i, part in enumerate(chunks(fields(s, message, len(pads) // DEPTH * 320)[0], 320)):
        *sums, checks_sum, claimed = fields(s, part, *[32] * 6, 64, 64)
        known, co_path = path(w, i), []

        def beside(level, others):
            pad = pads[DEPTH * i + level - 1]
            told = [] if level == 1 else [sums[2 * (level - 2) + known[level - 1]]]
            co_path.append(added(pad, *told, *others))
            return co_path[-1]

        leaves = grown(g, i, known, beside)
        checks = [leaf and leaf_values(g, i, leaf)[1] for leaf in leaves]
        checks[leaves.index(None)] = added(checks_sum, *filter(None, checks))
        require(checks_hash(g, i, checks) == claimed, s, "punctured trees")
        co_paths.append(co_path)
    return w ^ (2 ** len(pads) - 1), g, co_paths


def known_seeds(g, delta, co_paths):
    """R's seeds of each tree, of y = 1 … 15."""
    seeds = []
    for i, co_path in enumerate(co_paths):
        known = [1 - bit for bit in path(delta, i)]
        leaves = grown(g, i, known, lambda level, _: co_path[level - 1])
        hole = leaves.index(None)
        seeds.append([leaf_values(g, i, leaves[y ^ hole])[0] for y in range(1, LEAVES)])
    return seeds
