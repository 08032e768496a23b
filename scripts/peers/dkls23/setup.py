"""Both directions of a pair from 128 base OTs: four messages, of B, A, B and A. As they are sent:
docs/formats/ecdsa-messages.md."""

import base_ot
import extension
from base_ot import BASE, ROWS
from curve import lift, scalar
from hashes import F, H, byte, fields, number
from sealing import seal

# The transfers of both extensions.
TRANSFERS = ROWS
SECOND = BASE * 128, BASE // 4 * 320, extension.message_size(BASE, TRANSFERS)
THIRD = ROWS // 4 * 320, extension.message_size(ROWS, TRANSFERS)


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


class Kept:
    """What a side keeps of the trees: Δ and co-paths as a sender of extensions, roots as a receiver."""

    def __init__(self, delta, sender_base, co_paths, receiver_base, roots):
        self.delta, self.sender_base, self.co_paths = delta, sender_base, co_paths
        self.receiver_base, self.roots = receiver_base, roots

    def sender_seeds(self):
        return base_ot.known_seeds(self.sender_base, self.delta, self.co_paths)

    def receiver_seeds(self):
        return base_ot.all_seeds(self.receiver_base, self.roots)


class BaseSender:
    """A. `choice` has 384 bits, of which the first 256 are its bits w; `scalars` has t₀ and t₁ of each instance."""

    def __init__(self, sid, a, b, choice, scalars):
        self.sid, self.a, self.b, self.choice, self.scalars = sid, a, b, choice, scalars

    def second(self, message_1):
        sid, a, b = self.sid, self.a, self.b
        transfer, pads = base_ot.answer(sid, a, b, message_1, self.scalars)
        trees, g, roots = base_ot.trees(sid, a, b, pads)
        seeds = base_ot.all_seeds(g, roots)
        widening, _, pad = extension.receive(H("widening", sid), b, a, seeds, self.choice, TRANSFERS)
        self.pads = [pad(k, 0) for k in range(ROWS)]
        return transfer + trees + widening

    def fourth(self, message_3):
        """Message 4, and the values that A keeps."""
        sid, a, b = self.sid, self.a, self.b
        trees, reverse = fields(b, message_3, *THIRD)
        delta, sender_base, co_paths = base_ot.punctured(sid, b, a, self.choice % 2**ROWS, self.pads, trees)
        seeds = base_ot.known_seeds(sender_base, delta, co_paths)
        _, pad = extension.send(H("reverse", sid), a, b, delta, seeds, reverse, TRANSFERS)
        message, g, roots = base_ot.trees(sid, a, b, [[pad(k, 0, bit) for bit in (0, 1)] for k in range(ROWS)])
        return message, Kept(delta, sender_base, co_paths, g, roots)


class BaseReceiver:
    """B. `w` has 128 bits; `draws` gives points and scalars."""

    def __init__(self, sid, a, b, w, draws):
        self.sid, self.a, self.b, self.w, self.draws = sid, a, b, w, draws

    def first(self):
        self.message_1, self.scalars = base_ot.request(self.sid, self.a, self.b, self.w, self.draws)
        return self.message_1

    def third(self, message_2, choice):
        """Message 3. `choice` has 384 bits, of which the first 256 are the bits w of the last trees."""
        transfer, trees, widening = fields(self.a, message_2, *SECOND)
        return self.grow(self.base_pads(transfer), trees, widening, choice)

    def base_pads(self, transfer):
        return base_ot.received_pads(self.sid, self.a, self.b, self.w, self.scalars, self.message_1, transfer)

    def grow(self, pads, trees, widening, choice):
        sid, a, b = self.sid, self.a, self.b
        delta, g, co_paths = base_ot.punctured(sid, a, b, self.w, pads, trees)
        seeds = base_ot.known_seeds(g, delta, co_paths)
        _, pad = extension.send(H("widening", sid), b, a, delta, seeds, widening, TRANSFERS)
        pads = [[pad(k, 0, bit) for bit in (0, 1)] for k in range(ROWS)]
        message, self.base, self.roots = base_ot.trees(sid, b, a, pads)
        seeds, self.choice = base_ot.all_seeds(self.base, self.roots), choice
        reverse, _, pad = extension.receive(H("reverse", sid), a, b, seeds, choice, TRANSFERS)
        self.pads = [pad(k, 0) for k in range(ROWS)]
        return message + reverse

    def finish(self, message_4):
        w = self.choice % 2**ROWS
        trees = base_ot.punctured(self.sid, self.a, self.b, w, self.pads, message_4)
        return Kept(*trees, self.base, self.roots)


def session_id(identifier, fingerprint, epoch, host_keys):
    return H("pair set-up session", identifier, fingerprint, number(4, epoch), b"".join(host_keys))


def name(message):
    return H("set-up message", message)


def sealed(sid, a, b, seed, step, body, nonce, names):
    """Message 1 to 4 as it is sent; `names` are those of the messages before it."""
    sender, recipient = (a, b) if step in (2, 4) else (b, a)
    header = byte(1, (0x40, 0x41, 0x42, 0x45)[step - 1], 1) + sid + byte(sender, recipient)
    key = H("set-up channel", seed, byte(sender), byte(recipient), byte(step), *names)
    return header + nonce + seal(key, nonce, header, body)


def digest(sid, a, b, sent):
    return H("pair transcript", sid, byte(a), byte(b), *map(name, sent))


def identity(sid, digests):
    """`setup`, from the digests of all pairs in their order."""
    return H("pair set-up", sid, b"".join(digests))
