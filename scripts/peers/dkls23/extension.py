"""The extension of a pair's transfers and its check. `esid` names the session, s the sender and r the receiver."""

from functools import reduce
from operator import xor

from base_ot import DEPTH
from hashes import F, H, bits, byte, chunks, fields, number, require, stream

MASK = 128


def columns(rows, count):
    """Columns 0 … count - 1, as bytes, one bit of each row."""
    texts = [format(row, f"0{count}b")[::-1][:count] for row in rows]
    return [int("".join(column)[::-1], 2).to_bytes(len(rows) // 8, "little") for column in zip(*texts)]


def multiples(a):
    """a, a·X, a·X², …, a·X¹²⁷ in GF(2¹²⁸)."""
    values = [a]
    while len(values) < 128:
        shifted = values[-1] << 1
        values.append(shifted ^ (shifted >> 128) * (1 << 128 | 0x87))
    return values


def row_piece(e, seed, size):
    return bits(stream(e, 3, seed)[:size])


def tree_rows(pieces, first):
    """The four rows of a tree: of each level the sum of the pieces whose bit of it is 1. The pieces are first … 15."""
    return [
        reduce(xor, (piece for x, piece in enumerate(pieces, first) if x >> (DEPTH - level) & 1))
        for level in range(1, DEPTH + 1)
    ]


def check_values(e, corrections, rows, transfers):
    """Σ χ_m · (block m) + the last block, of each row."""
    q = H("ot extension challenge", e, corrections)
    factors = [multiple for m in range(transfers // 128) for multiple in multiples(bits(F(q, byte(m))[:16]))]
    for row in rows:
        yield reduce(xor, (factor for bit, factor in enumerate(factors) if row >> bit & 1), row >> transfers)


def receive(esid, s, r, seeds, choice, transfers=512):
    """R's message and e; R's pad p of column j as a function."""
    e, rows, corrections, size = H("ot extension", esid, byte(s), byte(r)), [], b"", (transfers + MASK) // 8
    for tree in seeds:
        pieces = [row_piece(e, seed, size) for seed in tree]
        rows += tree_rows(pieces, 0)
        corrections += (reduce(xor, pieces) ^ choice).to_bytes(size, "little")
    (x,) = check_values(e, corrections, [choice], transfers)
    t = columns(list(check_values(e, corrections, rows, transfers)), 128)
    o, v = H("ot extension pads", e, corrections), columns(rows, transfers)
    return corrections + x.to_bytes(16, "little") + b"".join(t), e, lambda j, p: F(o, number(2, j), byte(p), v[j])


def message_size(rows, transfers):
    return rows // DEPTH * (transfers + MASK) // 8 + 16 + rows // 8 * 128


def send(esid, s, r, delta, seeds, message, transfers=512):
    """e, after the check of R's message; S's pad p of column j for each bit as a function."""
    e, rows, size = H("ot extension", esid, byte(s), byte(r)), [], (transfers + MASK) // 8
    column = DEPTH * len(seeds) // 8
    corrections, x, t = fields(r, message, size * len(seeds), 16, column * 128)
    for i, (tree, correction) in enumerate(zip(seeds, chunks(corrections, size))):
        for level, row in enumerate(tree_rows([row_piece(e, seed, size) for seed in tree], 1)):
            rows.append(row ^ bits(correction) * (delta >> (DEPTH * i + level) & 1))
    found = columns(list(check_values(e, corrections, rows, transfers)), 128)
    for p, (mapped, expected) in enumerate(zip(found, chunks(t, column))):
        require(bits(mapped) == bits(expected) ^ delta * (bits(x) >> p & 1), r, "extension")
    o, q = H("ot extension pads", e, corrections), [bits(text) for text in columns(rows, transfers)]
    return e, lambda j, p, bit: F(o, number(2, j), byte(p), (q[j] ^ delta * bit).to_bytes(column, "little"))
