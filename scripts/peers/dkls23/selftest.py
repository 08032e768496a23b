"""The model against itself: all of it among its own parties, and each check against a party that breaks the rules."""

import secrets

import base_ot
import multiplication
from curve import ORDER, PRIME, coordinates, multiply, negative, recovered, scalar, times_generator, verify
from hashes import H, Refused, byte, fields, number, read_coordinates
from setup import SECOND, THIRD, BaseReceiver, BaseSender, Draws
from signing import Pair, Session, Signer, combine, fourth

def random_scalar():
    return secrets.randbelow(ORDER - 1) + 1


def flipped(message, *places, bit=0):
    """Bit 0 of a scalar's last byte keeps it a scalar; of a point's first byte, it is the point's negative."""
    message = bytearray(message)
    for place in places:
        message[place] ^= 1 << bit
    return bytes(message)


def must_refuse(culprit, reason, work):
    try:
        work()
    except Refused as found:
        assert (found.culprit, found.reason) == (culprit, reason), f"{found}, and not {culprit}: {reason}"
    else:
        raise AssertionError(f"went unnoticed: {culprit}: {reason}")


# ---- Set-up


def set_up_pair(a, b):
    """What A and B keep after a set-up, in which each check was seen to fire."""
    sid, secret_keys = secrets.token_bytes(32), (random_scalar(), random_scalar())
    scalars = [(random_scalar(), random_scalar()) for _ in range(base_ot.BASE)]
    sender = BaseSender(sid, a, b, secrets.randbits(384), scalars)
    draws = Draws(secrets.token_bytes(32), random_scalar(), secrets.token_bytes(32), b)
    receiver = BaseReceiver(sid, a, b, secrets.randbits(base_ot.BASE), draws)
    first = receiver.first()
    refuse_first(sid, a, b, sender, first)

    second = sender.second(first)
    for place in (0, 64):
        must_refuse(a, "no point", lambda place=place: receiver.third(flipped(second, place), 0))
    transfer, trees, widening = fields(a, second, *SECOND)
    pads = receiver.base_pads(transfer)
    # R needs one of the sums for the children 0 and 1.
    for places in ((0, 32), (64, 96), (200,), (300,)):
        must_refuse(
            a, "punctured trees", lambda places=places: receiver.grow(pads, flipped(trees, *places), widening, 0))
    for place in (0, len(widening) - 1):
        must_refuse(a, "extension", lambda place=place: receiver.grow(pads, trees, flipped(widening, place), 0))
    third = receiver.third(second, secrets.randbits(384))
    must_refuse(b, "punctured trees", lambda: sender.fourth(flipped(third, 300)))
    for place in (THIRD[0], len(third) - 1):
        must_refuse(b, "extension", lambda place=place: sender.fourth(flipped(third, place)))
    fourth_message, a_keeps = sender.fourth(third)
    must_refuse(a, "punctured trees", lambda: receiver.finish(flipped(fourth_message, 300)))
    b_keeps = receiver.finish(fourth_message)

    mine, theirs = (
        base_ot.pair_seed(sid, *indices, multiply(secret, times_generator(other)))
        for indices, secret, other in (((a, b), *secret_keys), ((b, a), *reversed(secret_keys)))
    )
    assert mine == theirs
    return [
        Pair(seed, kept.delta, kept.sender_seeds(), kept.receiver_seeds())
        for seed, kept in ((mine, a_keeps), (theirs, b_keeps))
    ]


def refuse_first(sid, a, b, sender, first):
    """Refuses a message 1 with an invalid point, or one that makes m₀ the identity."""
    h, size = H("base ot", sid, byte(a), byte(b)), 192
    for k in range(base_ot.BASE):
        r_1 = read_coordinates(b, first[size * k + 64 : size * k + 128])
        opposite = negative(base_ot.hashed_point(h, 0, k, r_1))
        # With this r₀ the other P differs, too, if there is one.
        if other := base_ot.hashed_point(h, 1, k, opposite):
            y_0 = first[size * k + 128 : size * k + 160]
            changed = coordinates(opposite) + coordinates(r_1) + y_0 + number(32, other[1])
            changed = first[: size * k] + changed + first[size * (k + 1) :]
            must_refuse(b, "base OT", lambda: sender.second(changed))
            break
    else:
        raise AssertionError("none of 128 instances has such a point")
    odd = number(32, PRIME - int.from_bytes(first[128:160], "big"))
    for wrong in (flipped(first, 0), flipped(first, 64), first[:128] + odd + first[160:], flipped(first, 160)):
        must_refuse(b, "no point", lambda wrong=wrong: sender.second(wrong))
    must_refuse(b, "size", lambda: sender.second(first[:-1]))


def dealt_pair():
    """The lasting values of both participants of a pair, made without a set-up."""
    seed, deltas = secrets.token_bytes(32), [secrets.randbits(base_ot.ROWS) for _ in range(2)]
    leaves = [[[secrets.token_bytes(32) for _ in range(16)] for _ in range(base_ot.ROWS // 4)] for _ in range(2)]

    def known(delta, trees):
        holes = [sum((delta >> (4 * i + level) & 1) << (3 - level) for level in range(4)) for i in range(base_ot.ROWS // 4)]
        return [[tree[y ^ hole] for y in range(1, 16)] for tree, hole in zip(trees, holes)]

    return [Pair(seed, deltas[me], known(deltas[me], leaves[me]), leaves[1 - me]) for me in (0, 1)]


# ---- Signing


class Group:
    def __init__(self, threshold, count, pair=lambda i, j: dealt_pair()):
        coefficients = [random_scalar() for _ in range(threshold)]
        self.key, numbers = times_generator(coefficients[0]), range(1, count + 1)
        self.shares = {i: sum(a * i**k for k, a in enumerate(coefficients)) % ORDER for i in numbers}
        self.pairs = {}
        for i in numbers:
            for j in range(i + 1, count + 1):
                self.pairs[i, j], self.pairs[j, i] = pair(i, j)

    def signers(self, indices, message, tweak=0):
        session = Session(self.key, secrets.token_bytes(32), secrets.token_bytes(32), 7, indices, tweak, message)
        pairs = {i: {j: self.pairs[i, j] for j in indices if j != i} for i in indices}
        return {i: Signer(session, i, self.shares[i], secrets.token_bytes(32), pairs[i]) for i in indices}


def exchanged(signers, step, messages, change, sealed=True):
    """What each receives, by sender: sealed, sent and opened."""
    received = {i: {} for i in signers}
    for i, sent in messages.items():
        for j, body in sent.items():
            body = change(step, i, j, body)
            if sealed:
                closed = change(f"sealed {step}", i, j, signers[i].packed(step, j, body))
                body = signers[j].unpacked(step, i, closed)
            received[j][i] = body
    return received


def signature(signers, message, change=lambda step, sender, recipient, body: body, sealed=True):
    """r, s and the recovery id, as the first signer has them. `change` may alter a message on its way."""
    first = {i: signer.first() for i, signer in signers.items()}
    heard = {i: {j: change(1, j, i, body) for j, body in first.items()} for i in signers}
    second = {i: signer.second(heard[i]) for i, signer in signers.items()}
    heard = exchanged(signers, 2, second, change, sealed)
    third = {i: signer.third(heard[i]) for i, signer in signers.items()}
    heard = exchanged(signers, 3, third, change, sealed)
    presigned = {i: signer.finish(heard[i]) for i, signer in signers.items()}
    me = next(iter(signers))
    fourths = [change(4, i, me, fourth(presignature, message)) for i, presignature in presigned.items()]
    return combine(signers[me].session.public_key, presigned[me][0], message, fourths)


def check_signature(group, indices, tweak=0, presigned=False, sealed=False):
    message = secrets.token_bytes(32)
    signers = group.signers(indices, None if presigned else message, tweak)
    r, s, recovery = signature(signers, message, sealed=sealed)
    key = signers[indices[0]].session.public_key
    assert verify(key, message, r, s) and s <= ORDER // 2
    assert recovered(message, r, s, recovery) == key
    assert not verify(key, flipped(message, 5), r, s)


def check_attacks(group):
    """Signer 2 breaks the rules, and signer 1 finds it."""
    message = secrets.token_bytes(32)

    def attack(culprit, reason, step=0, edit=None, breaks=lambda signer: None, to=(1,), sealed=False):
        signers = group.signers([1, 2], message)
        breaks(signers[2])

        def change(now, sender, recipient, body):
            return edit(body) if now == step and sender == 2 and recipient in to else body

        must_refuse(culprit, reason, lambda: signature(signers, message, change, sealed))

    def at(*places, bit=0):
        return lambda body: flipped(body, *places, bit=bit)

    place_R, salt, place_X, gamma_u, gamma_v, psi, product, end = 0, 33, 65, 98, 131, 164, 196, 196 + multiplication.SIZE

    attack(0, "header", 1, at(3), sealed=True)
    for place, reason in ((0, "header"), (20, "header"), (40, "sealed message"), (61, "sealed message")):
        attack(0, reason, "sealed 2", at(place), sealed=True)
    attack(0, "sealed message", "sealed 3", lambda body: flipped(body, len(body) - 1), sealed=True)
    attack(2, "commitment", 1, at(3), to=(1, 2))
    attack(2, "commitment", 1, at(40), to=(1, 2))
    attack(2, "size", 1, lambda body: body + b"0", to=(1, 2))
    for place in (0, 5119, 5120, 5136, 9231):
        attack(2, "extension", 2, at(place))
    attack(2, "size", 2, lambda body: body[1:])
    for place in (product + 31, end - 33, end - 1):
        attack(2, "multiplication", 3, at(place))
    attack(2, "no scalar", 3, lambda body: body[:product] + b"\xff" * 32 + body[product + 32 :])
    attack(2, "no point", 3, at(place_X, bit=7))
    attack(2, "commitment", 3, at(place_R))
    attack(2, "commitment", 3, at(salt))
    attack(2, "product with the nonce", 3, at(gamma_u))
    attack(2, "product with the share", 3, at(gamma_v))
    attack(2, "product with the share", 3, at(place_X))
    attack(0, "signature", 3, at(psi + 31))
    attack(0, "nonce", 4, at(0))
    for place in (64, 96):
        attack(0, "signature", 4, at(place))

    def other_share(signer):
        signer.share += 1

    attack(0, "sum of the shares", breaks=other_share)


def check_sums_of_zero(group):
    """The commitment keeps a signer from choosing such a nonce, but not two that work together."""
    signers, message, last = group.signers([1, 2], None), secrets.token_bytes(32), {}
    signers[2].r = -signers[1].r % ORDER
    must_refuse(0, "sum of the nonces", lambda: signature(signers, message, sealed=False))

    def opposite(step, sender, recipient, body):
        last[sender] = body
        return body if step < 4 or sender == 1 else body[:65] + number(32, -scalar(last[1][65:]) % ORDER)

    must_refuse(0, "sum of u", lambda: signature(group.signers([1, 2], message), message, opposite, sealed=False))


def run():
    group = Group(2, 2, set_up_pair)
    check_signature(group, [1, 2], sealed=True)
    check_attacks(group)
    check_sums_of_zero(group)

    group = Group(2, 3)
    for indices in ([1, 2], [1, 3], [2, 3]):
        check_signature(group, indices, tweak=random_scalar(), presigned=indices == [1, 3])
    check_signature(Group(3, 4), [1, 2, 4])

    for count in range(2, 16):
        for i in range(1, count + 1):
            roles = [base_ot.is_base_sender(count, i, j) for j in range(1, count + 1) if j != i]
            assert count // 2 >= sum(roles) >= (count - 1) // 2
            assert all(base_ot.is_base_sender(count, i, j) != base_ot.is_base_sender(count, j, i) for j in range(1, i))
    print("dkls23: signatures are right, and every check was seen to fire")
