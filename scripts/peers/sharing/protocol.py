"""Key generation: a sharing session whose dealers and receivers are all participants."""

from suites import Refused, number, require

SCALAR, PROOF = 32, 64


class Session:
    """`introductions` of participants 1, 2, …"""

    def __init__(self, suite, threshold, introductions):
        self.suite, self.threshold, self.total = suite, threshold, len(introductions)
        require(2 <= threshold <= self.total <= 15, "threshold")
        head = self.header(0x30) + self.purpose
        require(all(i.startswith(head) and len(i) == len(head) + suite.POINT + 32 for i in introductions), "introduction")
        members = [introduction[len(head) :] for introduction in introductions]
        self.host_keys = [suite.decode(member[: suite.POINT]) for member in members]
        require(len(set(self.host_keys)) == self.total, "host key twice")
        self.encoded = (
            self.header(0x31) + self.purpose + bytes([threshold, self.total]) + b"".join(members) + bytes([0]))  # fmt: skip
        self.hash = self.hash32("session", self.encoded)

    @property
    def purpose(self):
        return bytes([len(self.suite.domain)]) + self.suite.domain

    def header(self, kind):
        return bytes([1, kind, self.suite.CODE])

    def message(self, kind, body, party=None):
        return self.header(kind) + self.hash + (b"" if party is None else bytes([party])) + body

    def H(self, tag, *parts):
        return self.suite.tagged(self.suite.domain + b"sharing " + tag.encode(), *parts)

    def hash32(self, tag, *parts):
        return self.H(tag, *parts)[:32]

    def scalar(self, tag, *parts):
        return self.suite.integer(self.H(tag, *parts)) % self.suite.ORDER

    def base(self, scalar):
        return self.suite.multiply(scalar, self.suite.generator)

    def proof_message(self, dealer, power):
        return self.H("coefficient proof", self.hash, number(dealer), number(power))

    def pad(self, shared, public_nonce, dealer, receiver):
        digest = self.suite.digest(self.suite.encode(shared))
        host_key = self.suite.encode(self.host_keys[receiver - 1])
        return self.scalar(
            "ecdh", digest, public_nonce, host_key, number(receiver - 1), self.hash, number(dealer))  # fmt: skip

    def own_pad(self, host_secret, public_nonce, party):
        secret = self.suite.scalar_bytes(host_secret)
        return self.scalar("own pad", secret, public_nonce, number(party - 1), self.hash, number(party))

    def commitment(self, dealer, opening):
        return self.hash32("commitment", self.hash, number(dealer), opening)

    def transcript(self, openings):
        parts = [
            self.commitment(dealer, opening) + number(len(opening)) + opening
            for dealer, opening in enumerate(openings, 1)
        ]
        return self.hash32("transcript", self.hash, *parts)

    def signed_message(self, purpose, party, transcript):
        prefix = self.suite.domain + b"sharing " + purpose
        return prefix + bytes(33 - len(prefix)) + number(party) + transcript

    def share_message(self, party, transcript):
        return self.H("share proof", transcript, number(party))

    def value(self, polynomial, index):
        """F(index), by the sum of its terms."""
        suite = self.suite
        return suite.add(*(suite.multiply(index**power, point) for power, point in enumerate(polynomial)))


class Participant:
    """One participant. `random` are 32 bytes for each use: nonce, seed, proof, signature, acknowledgement."""

    def __init__(self, suite, index, host_secret, random):
        self.suite, self.index, self.host_secret, self.random = suite, index, host_secret, random
        self.host_key = suite.encode(suite.multiply(host_secret, suite.generator))

    def introduction(self):
        domain = self.suite.domain
        return bytes([1, 0x30, self.suite.CODE, len(domain)]) + domain + self.host_key + self.random["nonce"]

    def deal(self, session):
        suite, own = self.suite, self.index
        seed = session.H("seed", suite.scalar_bytes(self.host_secret), self.random["seed"], session.hash)
        coefficients = [session.scalar("coefficient", seed, number(power)) for power in range(session.threshold)]
        polynomial = [session.base(coefficient) for coefficient in coefficients]
        proofs = [
            suite.signed(
                suite.proof_tag, coefficient, session.proof_message(own, power),
                session.H("auxiliary", seed, number(power)))
            for power, coefficient in enumerate(coefficients)
        ]  # fmt: skip
        nonce = session.scalar("nonce", seed)
        public_nonce = suite.encode(session.base(nonce))
        shares = []
        for receiver, host_key in enumerate(session.host_keys, 1):
            share = sum(coefficient * receiver**power for power, coefficient in enumerate(coefficients))
            if receiver == own:
                pad = session.own_pad(self.host_secret, public_nonce, own)
            else:
                pad = session.pad(suite.multiply(nonce, host_key), public_nonce, own, receiver)
            shares.append(suite.scalar_bytes((share + pad) % suite.ORDER))
        self.opening = session.message(
            0x34,
            session.H("salt", seed)[:32] + bytes([session.threshold]) + b"".join(map(suite.encode, polynomial))
            + b"".join(proofs) + public_nonce + b"".join(shares), own)  # fmt: skip
        return session.message(0x32, session.commitment(own, self.opening), own)

    def receive(self, session, openings):
        """Adds up its shares, of which each is checked, and confirms the transcript."""
        suite, self.share = self.suite, 0
        for dealer, opening in enumerate(openings, 1):
            polynomial, _, public_nonce, encrypted = read_opening(session, dealer, opening)
            if dealer == self.index:
                pad = session.own_pad(self.host_secret, public_nonce, dealer)
            else:
                shared = suite.multiply(self.host_secret, suite.decode(public_nonce))
                pad = session.pad(shared, public_nonce, dealer, self.index)
            share = (encrypted[self.index - 1] - pad) % suite.ORDER
            require(session.base(share) == session.value(polynomial, self.index), f"share of {dealer}")
            self.share = (self.share + share) % suite.ORDER
        transcript = session.transcript(openings)
        proof = suite.signed(
            suite.proof_tag, self.share, session.share_message(self.index, transcript), self.random["proof"])
        self.confirmation = self.signed(session, b"transcript", transcript, "signature") + proof
        return session.message(0x36, self.confirmation, self.index)

    def acknowledge(self, session, transcript):
        return session.message(0x39, self.signed(session, b"stored", transcript, "acknowledgement"), self.index)

    def signed(self, session, purpose, transcript, use):
        suite = self.suite
        message = session.signed_message(purpose, self.index, transcript)
        return suite.signed(suite.signature_tag, self.host_secret, message, self.random[use])


def read_opening(session, dealer, opening):
    """The polynomial, the proofs, the public nonce as bytes, and the encrypted shares."""
    suite, count = session.suite, session.threshold
    head = session.message(0x34, b"", dealer)
    sizes = [len(head), 32, 1, *[suite.POINT] * count, *[PROOF] * count, suite.POINT, *[SCALAR] * session.total]
    require(len(opening) == sum(sizes), f"size of {dealer}")
    fields, rest = [], opening
    for size in sizes:
        fields.append(rest[:size])
        rest = rest[size:]
    require(fields[0] == head and fields[2] == bytes([count]), f"head of {dealer}")
    points, proofs, nonce, shares = fields[3 : 3 + count], fields[3 + count :][:count], fields[3 + 2 * count], fields[4 + 2 * count :]
    encrypted = [suite.integer(share) for share in shares]
    require(all(share < suite.ORDER for share in encrypted), f"scalar of {dealer}")
    suite.decode(nonce)
    return [suite.decode(point) for point in points], proofs, nonce, encrypted


def check(session, commitments, openings, confirmations):
    """Checks everything public, and returns the public key and the verification shares."""
    suite, polynomials = session.suite, []
    for dealer, (commitment, opening) in enumerate(zip(commitments, openings, strict=True), 1):
        require(commitment == session.message(0x32, session.commitment(dealer, opening), dealer), f"commitment of {dealer}")
        polynomial, proofs, _, _ = read_opening(session, dealer, opening)
        for power, (point, proof) in enumerate(zip(polynomial, proofs, strict=True)):
            proven = suite.is_signed(suite.proof_tag, proof, point, session.proof_message(dealer, power))
            require(proven, f"proof {power} of {dealer}")
        polynomials.append(polynomial)
    total = [suite.add(*coefficients) for coefficients in zip(*polynomials, strict=True)]
    require(total[0] is not None and total[-1] is not None, "key")
    shares = [session.value(total, index) for index in range(1, session.total + 1)]
    require(None not in shares, "key")
    transcript = session.transcript(openings)
    for party, (confirmation, share) in enumerate(zip(confirmations, shares, strict=True), 1):
        head = session.message(0x36, b"", party)
        signature, proof = confirmation[len(head) : -PROOF], confirmation[-PROOF:]
        message = session.signed_message(b"transcript", party, transcript)
        require(confirmation.startswith(head), f"confirmation of {party}")
        require(suite.is_signed(suite.signature_tag, signature, session.host_keys[party - 1], message), f"signature of {party}")
        require(suite.is_signed(suite.proof_tag, proof, share, session.share_message(party, transcript)), f"knowledge of {party}")
    return total[0], shares


__all__ = ["Participant", "Refused", "Session", "check", "number"]
