"""Both directions of a pair from one base OT: three messages, of B, A and B. As they are sent: docs/formats/ecdsa-messages.md."""

import base_ot
import extension
from curve import lift, scalar
from hashes import F, H, byte, fields, number
from sealing import seal

SIZES = base_ot.ROWS * 128, base_ot.TREES * 320, 9232


class Draws:
    """Where participant i draws its secrets of a pair from; `answered` is the name of the message that it answers."""

    def __init__(self, fresh, share, seed, i, answered=b""):
        self.root, self.count = H("set-up randomness", fresh, number(32, share), seed, byte(i), answered), 0

    def draw(self, size):
        blocks = range(self.count, self.count + (size + 31) // 32)
        self.count = blocks.stop
        return b"".join(F(self.root, number(4, block)) for block in blocks)[:size]

    def scalar(self):
        return scalar(self.draw(64))

    def point(self):
        while True:
            odd, *x = self.draw(33)
            if point := lift(int.from_bytes(bytes(x), "big"), odd & 1):
                return point


class BaseSender:
    """A. `choice` has 640 bits, of which the first 256 are its bits w; `scalars` has t₀ and t₁ of each instance."""

    def __init__(self, sid, a, b, choice, scalars):
        self.sid, self.a, self.b, self.choice, self.scalars = sid, a, b, choice, scalars

    def second(self, message_1):
        sid, a, b = self.sid, self.a, self.b
        transfer, pads = base_ot.answer(sid, a, b, message_1, self.scalars)
        trees, self.receiver_seeds = base_ot.trees(sid, a, b, pads)
        reverse, _, pad = extension.receive(H("reverse", sid), b, a, self.receiver_seeds, self.choice)
        self.pads = [pad(k, 0) for k in range(base_ot.ROWS)]
        return transfer + trees + reverse

    def finish(self, message_3):
        """Δ, its seeds as a sender, and as a receiver."""
        w = self.choice % 2**base_ot.ROWS
        delta, seeds = base_ot.punctured(self.sid, self.b, self.a, w, self.pads, message_3)
        return delta, seeds, self.receiver_seeds


class BaseReceiver:
    """B. `points` are the uniform points r of 1 - w."""

    def __init__(self, sid, a, b, w, scalars, points):
        self.sid, self.a, self.b, self.w, self.scalars, self.points = sid, a, b, w, scalars, points

    def first(self):
        self.message_1 = base_ot.request(self.sid, self.a, self.b, self.w, self.scalars, self.points)
        return self.message_1

    def third(self, message_2):
        """Message 3, and then what A's `finish` gives."""
        transfer, trees, reverse = fields(self.a, message_2, *SIZES)
        return self.grow(self.pads(transfer), trees, reverse)

    def pads(self, transfer):
        return base_ot.received_pads(self.sid, self.a, self.b, self.w, self.scalars, self.message_1, transfer)

    def grow(self, pads, trees, reverse):
        sid, a, b = self.sid, self.a, self.b
        delta, sender_seeds = base_ot.punctured(sid, a, b, self.w, pads, trees)
        _, pad = extension.send(H("reverse", sid), b, a, delta, sender_seeds, reverse)
        pads = [[pad(k, 0, bit) for bit in (0, 1)] for k in range(base_ot.ROWS)]
        message, receiver_seeds = base_ot.trees(sid, b, a, pads)
        return message, (delta, sender_seeds, receiver_seeds)


def session_id(identifier, fingerprint, epoch, host_keys):
    return H("pair set-up session", identifier, fingerprint, number(4, epoch), b"".join(host_keys))


def name(message):
    return H("set-up message", message)


def sealed(sid, a, b, seed, step, body, nonce, names):
    """Message 1, 2 or 3 as it is sent; `names` are those of the messages before it."""
    sender, recipient = (a, b) if step == 2 else (b, a)
    header = byte(1, 0x3F + step, 1) + sid + byte(sender, recipient)
    key = H("set-up channel", seed, byte(sender), byte(recipient), byte(step), *names)
    return header + nonce + seal(key, nonce, header, body)


def digest(sid, a, b, sent):
    return H("pair transcript", sid, byte(a), byte(b), *map(name, sent))


def identity(sid, digests):
    """`setup`, from the digests of all pairs in their order."""
    return H("pair set-up", sid, b"".join(digests))
