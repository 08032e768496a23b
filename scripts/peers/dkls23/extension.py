"""The extension of a pair's transfers and its check. `esid` names the session, s the sender and r the receiver."""

from functools import reduce
from operator import xor

from base_ot import DEPTH, TREES
from hashes import F, H, bits, byte, chunks, fields, number, require, stream

TRANSFERS = 512


def columns(rows, count):
    """Columns 0 … count - 1 of 256 rows, as 32 bytes each."""
    texts = [format(row, f"0{count}b")[::-1][:count] for row in rows]
    return [int("".join(column)[::-1], 2).to_bytes(32, "little") for column in zip(*texts)]


def multiples(a):
    """a, a·X, a·X², …, a·X¹²⁷ in GF(2¹²⁸)."""
    values = [a]
    while len(values) < 128:
        shifted = values[-1] << 1
        values.append(shifted ^ (shifted >> 128) * (1 << 128 | 0x87))
    return values


def row_piece(e, seed):
    return bits(stream(e, 3, seed)[:80])


def tree_rows(pieces, first):
    """The four rows of a tree: of each level the sum of the pieces whose bit of it is 1. The pieces are first … 15."""
    return [
        reduce(xor, (piece for x, piece in enumerate(pieces, first) if x >> (DEPTH - level) & 1))
        for level in range(1, DEPTH + 1)
    ]


def check_values(e, corrections, rows):
    """Σ χ_m · (block m) + block 4, of each row."""
    q = H("ot extension challenge", e, corrections)
    factors = [multiple for m in range(4) for multiple in multiples(bits(F(q, byte(m))[:16]))]
    for row in rows:
        yield reduce(xor, (factor for bit, factor in enumerate(factors) if row >> bit & 1), row >> 512)


def receive(esid, s, r, seeds, choice):
    """R's message and e; R's pad p of column j as a function."""
    e, rows, corrections = H("ot extension", esid, byte(s), byte(r)), [], b""
    for tree in seeds:
        pieces = [row_piece(e, seed) for seed in tree]
        rows += tree_rows(pieces, 0)
        corrections += (reduce(xor, pieces) ^ choice).to_bytes(80, "little")
    (x,) = check_values(e, corrections, [choice])
    t = columns(list(check_values(e, corrections, rows)), 128)
    o, v = H("ot extension pads", e, corrections), columns(rows, TRANSFERS)
    return corrections + x.to_bytes(16, "little") + b"".join(t), e, lambda j, p: F(o, number(2, j), byte(p), v[j])


def send(esid, s, r, delta, seeds, message):
    """e, after the check of R's message; S's pad p of column j for each bit as a function."""
    e, rows = H("ot extension", esid, byte(s), byte(r)), []
    corrections, x, t = fields(r, message, 80 * TREES, 16, 32 * 128)
    for i, (tree, correction) in enumerate(zip(seeds, chunks(corrections, 80))):
        for level, row in enumerate(tree_rows([row_piece(e, seed) for seed in tree], 1)):
            rows.append(row ^ bits(correction) * (delta >> (DEPTH * i + level) & 1))
    found = columns(list(check_values(e, corrections, rows)), 128)
    for p, (column, expected) in enumerate(zip(found, chunks(t, 32))):
        require(bits(column) == bits(expected) ^ delta * (bits(x) >> p & 1), r, "extension")
    o, q = H("ot extension pads", e, corrections), [bits(column) for column in columns(rows, TRANSFERS)]
    return e, lambda j, p, bit: F(o, number(2, j), byte(p), (q[j] ^ delta * bit).to_bytes(32, "little"))
