"""Key generation a second time, from docs/formats/sharing-messages.md alone.

A model: slow, and its time tells its secrets.

    sharing            one JSON request on standard input, its answer on standard output; bytes are in hexadecimal
    sharing selftest   makes keys among its own participants, and shows that each check can fail

"op" is one of

    generate  {"suite": "bip340", "ecdsa" or "ed25519", "threshold",
               "participants": [{"host_secret", and 32 random bytes for each use:
                                 "nonce", "seed", "proof", "signature", "acknowledgement"}]}
        -> all messages, as they are sent: {"introductions", "session", "commitments", "commitment_list", "openings",
            "opening_list", "confirmations", "certificate", "recovery_data", "acknowledgements"},
            and {"transcript", "group_key", "shares"}
    check     {"suite", "threshold", "introductions", "commitments", "openings", "confirmations"}: the messages of another
              implementation
        -> {"refused": the reason, or null, "public_key", "verification_shares"}
"""

import json
import secrets
import sys

from protocol import Participant, Refused, Session, check, number
from suites import SUITES

USES = ("nonce", "seed", "proof", "signature", "acknowledgement")


def run(suite, threshold, participants):
    session = Session(suite, threshold, [one.introduction() for one in participants])
    commitments = [one.deal(session) for one in participants]
    openings = [one.opening for one in participants]
    confirmations = [one.receive(session, openings) for one in participants]
    return session, commitments, openings, confirmations


def generate(request):
    suite = SUITES[request["suite"]]
    participants = [
        Participant(
            suite, index, suite.integer(bytes.fromhex(one["host_secret"])),
            {use: bytes.fromhex(one[use]) for use in USES})
        for index, one in enumerate(request["participants"], 1)
    ]  # fmt: skip
    session, commitments, openings, confirmations = run(suite, request["threshold"], participants)
    public_key, verification_shares = check(session, commitments, openings, confirmations)
    transcript = session.transcript(openings)
    certificate = b"".join(one.confirmation for one in participants)
    dealings = b"".join(number(len(opening)) + opening for opening in openings)
    group = session.header(1) + bytes([session.threshold, session.total])
    group += b"".join(map(suite.encode, [public_key, *verification_shares]))
    return {
        "introductions": [one.introduction() for one in participants],
        "session": session.encoded,
        "commitments": commitments,
        "commitment_list": session.message(0x33, b"".join(commitment[36:] for commitment in commitments)),
        "openings": openings,
        "opening_list": session.message(0x35, dealings),
        "confirmations": confirmations,
        "certificate": session.message(0x37, certificate),
        "recovery_data": session.header(0x38) + number(len(session.encoded)) + session.encoded + dealings + certificate,
        "acknowledgements": [one.acknowledge(session, transcript) for one in participants],
        "transcript": transcript,
        "group_key": group,
        "shares": [
            session.header(2) + bytes([one.index]) + suite.scalar_bytes(one.share) + group for one in participants
        ],
    }


def examine(request):
    suite = SUITES[request["suite"]]

    def data(name):
        return [bytes.fromhex(text) for text in request[name]]

    try:
        session = Session(suite, request["threshold"], data("introductions"))
        public_key, shares = check(session, data("commitments"), data("openings"), data("confirmations"))
    except Refused as refused:
        return {"refused": str(refused), "public_key": b"", "verification_shares": []}
    return {"refused": None, "public_key": suite.encode(public_key), "verification_shares": list(map(suite.encode, shares))}


def hexadecimal(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: hexadecimal(item) for key, item in value.items()}
    return [hexadecimal(item) for item in value] if isinstance(value, list) else value


def interpolated(suite, shares):
    """The value at 0 of the polynomial through (index, share)."""
    total = 0
    for index, share in shares:
        factor = share
        for other, _ in shares:
            if other != index:
                factor = factor * other * pow(other - index, -1, suite.ORDER)
        total += factor
    return total % suite.ORDER


def flipped(messages, message, place):
    changed = bytearray(messages[message])
    changed[place] ^= 1
    return [*messages[:message], bytes(changed), *messages[message + 1 :]]


def selftest():
    for suite in SUITES.values():
        participants = [
            Participant(suite, index, secrets.randbelow(suite.ORDER), {use: secrets.token_bytes(32) for use in USES})
            for index in (1, 2, 3)
        ]
        session, commitments, openings, confirmations = run(suite, 2, participants)
        public_key, _ = check(session, commitments, openings, confirmations)
        for pair in ((0, 1), (0, 2), (1, 2)):
            secret = interpolated(suite, [(participants[i].index, participants[i].share) for i in pair])
            assert session.base(secret) == public_key

        def must_refuse(reason, work):
            try:
                work()
            except Refused as found:
                assert str(found) == reason, f"{found}, and not {reason}"
            else:
                raise AssertionError(f"went unnoticed: {reason}")

        must_refuse("commitment of 2", lambda: check(session, flipped(commitments, 1, 40), openings, confirmations))
        must_refuse("commitment of 2", lambda: check(session, commitments, flipped(openings, 1, 300), confirmations))
        # The last byte of a proof or a signature.
        start = 36 + 32 + 1 + 2 * suite.POINT
        for place, reason in ((start + 63, "proof 0 of 2"), (start + 127, "proof 1 of 2"), (68, "head of 2"), (35, "head of 2")):
            changed = flipped(openings, 1, place)
            recommitted = [*commitments]
            recommitted[1] = session.message(0x32, session.commitment(2, changed[1]), 2)
            must_refuse(reason, lambda o=changed, c=recommitted: check(session, c, o, confirmations))
        must_refuse("signature of 3", lambda: check(session, commitments, openings, flipped(confirmations, 2, 99)))
        must_refuse("knowledge of 3", lambda: check(session, commitments, openings, flipped(confirmations, 2, 163)))
        wrong = bytearray(openings[1])
        wrong[start + 128 + suite.POINT + (0 if suite.CODE == 2 else 31)] ^= 1
        must_refuse("share of 2", lambda: participants[0].receive(session, [openings[0], bytes(wrong), openings[2]]))
        twice = [participants[0].introduction(), participants[1].introduction(), participants[0].introduction()]
        must_refuse("host key twice", lambda: Session(suite, 2, twice))
        must_refuse("threshold", lambda: Session(suite, 1, twice))
    print("sharing: keys are right, and every check was seen to fire")


COMMANDS = {"generate": generate, "check": examine}

if __name__ == "__main__":
    if sys.argv[1:] == ["selftest"]:
        selftest()
    else:
        request = json.load(sys.stdin)
        json.dump(hexadecimal(COMMANDS[request["op"]](request)), sys.stdout)
