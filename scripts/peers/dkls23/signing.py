"""The four rounds of signing, and the signature from the signers' last messages."""

import extension
import multiplication
from curve import ORDER, multiply, point_bytes, scalar, times_generator, total, verify
from hashes import F, H, Refused, bits, byte, fields, number, read_point, read_scalar, require, stream, wide_scalar
from sealing import Forged, seal, unseal


# Version, kind, curve
HEADERS = {step: byte(1, 0x47 + step, 1) for step in (1, 2, 3, 4)}


class Pair:
    """The data that a signer keeps for one peer. Seeds are 64 lists: of 15 by y as the sender, of 16 by x as the receiver."""

    def __init__(self, seed, delta, sender_seeds, receiver_seeds):
        self.seed, self.delta, self.sender_seeds, self.receiver_seeds = seed, delta, sender_seeds, receiver_seeds


class Session:
    """The values on which all signers agree. `message` is None for a presignature."""

    def __init__(self, public_key, fingerprint, setup, epoch, indices, tweak, message):
        self.indices, self.tweak, self.epoch = sorted(indices), tweak, number(4, epoch)
        self.public_key = total(public_key, times_generator(tweak))
        said = byte(0) if message is None else byte(1) + message
        self.context = H("signing", fingerprint, setup, self.epoch, byte(*self.indices), number(32, tweak), said)

    def commitment(self, i, nonce, point, salt):
        return H("nonce commitment", self.context, byte(i), nonce, point, salt)


class Signer:
    def __init__(self, session, index, share, fresh, pairs, name=b""):
        """`pairs` by the index of the other signer; `name` is that of the session, in the application."""
        self.session, self.i, self.share, self.pairs = session, index, share, pairs
        self.root = H("signer", fresh, number(32, share), session.context, name)
        self.salt, self.nonce = F(self.root, byte(0)), F(self.root, byte(1))
        self.r, self.phi = (scalar(F(self.root, byte(b)) + F(self.root, byte(b + 1))) for b in (2, 4))

    def first(self):
        self.point = times_generator(self.r)
        return self.nonce + self.session.commitment(self.i, self.nonce, point_bytes(self.point), self.salt)

    def second(self, firsts):
        """The first messages of all signers, by index -> the message to each other one."""
        self.firsts = firsts
        said = [byte(i) + fields(i, firsts[i], 64)[0] for i in self.session.indices]
        self.ssid = H("session", self.session.context, b"".join(said))
        self.secret = H("signer in session", self.root, self.ssid)
        self.choices, self.received, messages = {}, {}, {}
        for j, pair in self.pairs.items():
            self.choices[j] = bits(stream(self.secret, 3, byte(0, j))[:80])
            messages[j], *self.received[j] = extension.receive(
                self.ssid, j, self.i, pair.receiver_seeds, self.choices[j])  # fmt: skip
        return messages

    def third(self, seconds):
        """The second messages of the others -> the message to each."""
        self.x, self.c, messages = self.share, {}, {}
        for j in self.pairs:
            self.x = self.x * j * pow(j - self.i, -1, ORDER) % ORDER
        for j, pair in self.pairs.items():
            z = wide_scalar(H("zero share", pair.seed, self.ssid))
            self.x += z if j < self.i else -z
        self.x = (self.x + (self.session.tweak if self.i == self.session.indices[0] else 0)) % ORDER
        self.share_point = times_generator(self.x)
        for j, pair in self.pairs.items():
            e, pads = extension.send(self.ssid, self.i, j, pair.delta, pair.sender_seeds, seconds[j])
            check = wide_scalar(self.secret, byte(1, j))
            product, self.c[j] = multiplication.send(self.ssid, e, pads, (self.r, self.x), check)
            gammas = b"".join(point_bytes(times_generator(c)) for c in self.c[j])
            psi = number(32, (self.phi - self.factor(j)) % ORDER)
            messages[j] = point_bytes(self.point) + self.salt + point_bytes(self.share_point) + gammas + psi + product
        return messages

    def finish(self, thirds):
        """The third messages of the others -> this signer's presignature: R, φ, x(R)·v and u."""
        points, shares, phi, sums = [self.point], [self.share_point], self.phi, [0, 0]
        for j in self.pairs:
            *parts, product = fields(j, thirds[j], 33, 32, 33, 33, 33, 32, multiplication.SIZE)
            nonce, commitment = fields(j, self.firsts[j], 32, 32)
            require(self.session.commitment(j, nonce, parts[0], parts[1]) == commitment, j, "commitment")
            point, share, gamma_u, gamma_v = (read_point(j, parts[place]) for place in (0, 2, 3, 4))
            e, pads = self.received[j]
            d = multiplication.receive(self.ssid, e, j, pads, self.choices[j], product)
            for what, value, gamma, own in (("nonce", point, gamma_u, d[0]), ("share", share, gamma_v, d[1])):
                known = total(times_generator(own), gamma)
                require(multiply(self.factor(j), value) == known, j, f"product with the {what}")
            points.append(point)
            shares.append(share)
            phi += read_scalar(j, parts[5])
            sums = [old + c + own for old, c, own in zip(sums, self.c[j], d)]
        require(total(*shares) == self.session.public_key, 0, "sum of the shares")
        point = total(*points)
        require(point and point[0] % ORDER, 0, "sum of the nonces")
        u, v = ((a * phi + known) % ORDER for a, known in zip((self.r, self.x), sums))
        return point, self.phi, point[0] * v % ORDER, u

    def factor(self, j):
        """χ: this signer's factor in the multiplication in which j is the sender."""
        return multiplication.factor(self.ssid, self.choices[j])

    def packed(self, step, j, body):
        """The message as it is sent: of steps 1 and 4 to all (j is None), of steps 2 and 3 sealed for j."""
        if step == 1:
            return HEADERS[1] + self.session.epoch + self.session.context + byte(self.i) + body
        if step == 4:
            return HEADERS[4] + self.ssid + byte(self.i) + body
        header, nonce = HEADERS[step] + self.ssid + byte(self.i, j), F(self.secret, byte(2, j, step))[:24]
        return header + nonce + seal(self.channel(j, self.i, j), nonce, header, body)

    def unpacked(self, step, j, message):
        """What j sealed. Without a culprit if it cannot be opened: anybody on the way can have changed it."""
        header, nonce, sealed = message[:37], message[37:61], message[61:]
        require(header == HEADERS[step] + self.ssid + byte(j, self.i), 0, "header")
        try:
            return unseal(self.channel(j, j, self.i), nonce, header, sealed)
        except Forged:
            raise Refused(0, "sealed message") from None

    def channel(self, peer, sender, recipient):
        return H("channel", self.pairs[peer].seed, self.ssid, byte(sender), byte(recipient))


def fourth(presignature, message):
    point, phi, rv, u = presignature
    return point_bytes(point) + number(32, (scalar(message) * phi + rv) % ORDER) + number(32, u)


def combine(public_key, point, message, fourths):
    """r, s and the recovery id from the fourth messages of all signers."""
    parts = [fields(0, fourth, 33, 32, 32) for fourth in fourths]
    require(all(part[0] == point_bytes(point) for part in parts), 0, "nonce")
    w, u = (sum(read_scalar(0, part[place]) for part in parts) % ORDER for place in (1, 2))
    require(u, 0, "sum of u")
    r, s, recovery = point[0] % ORDER, w * pow(u, -1, ORDER) % ORDER, point[1] % 2 + 2 * (point[0] >= ORDER)
    if s > ORDER // 2:
        s, recovery = ORDER - s, recovery ^ 1
    require(verify(public_key, message, r, s), 0, "signature")
    return r, s, recovery
