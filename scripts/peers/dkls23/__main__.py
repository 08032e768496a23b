"""Threshold ECDSA a second time, from docs/protocols/threshold-ecdsa.md and
docs/formats/ecdsa-messages.md alone.

A model: slow, and its time tells its secrets.

    dkls23            one JSON request on standard input, its answer on standard output; bytes are in hexadecimal
    dkls23 selftest   makes keys and signatures among its own parties, and shows that each check can fail

"op" is one of

    sign   {"group": {"public_key", "fingerprint"}, "setup", "epoch", "tweak", "message" (null: presign for "later"),
            "signers": [{"index", "share", "fresh", "session",
                         "pairs": [{"peer", "seed", "delta", "sender_seeds", "receiver_seeds"}]}]}
        -> {"context", "ssid", "rounds": [[{"from", "to", "body", "message": as it is sent, sealed}]],
            "presignatures": [{"index", "R", "phi", "rv", "u"}], "r", "s", "recovery_id"}
    setup  {"session", "a", "b", "host_secret": A's, "a_share", "b_share", "a_fresh", "b_fresh", "b_fresh_3": 32 bytes, of the
            stream of messages 1 and 3, "nonce": of message 4}
        -> {"bodies", "messages": as they are sent, sealed, "a", "b": as one of "pairs" above, and what it is stored as:
            "sender_base", "co_paths", "receiver_base", "roots"}
    transcript  {"session", "pairs": [{"a", "b", "messages": as they are sent}]} -> {"sid", "digests", "setup"}
    order  {"counts"} -> of each number of participants all [i, j] of which i is the base sender towards j

"session" is {"identifier", "fingerprint", "epoch", "host_keys": of all} of a set-up.

Seeds, scalars and points of one kind may be one string, a list, or lists in a list.
"""

import json
import sys

import base_ot
import selftest
import setup
from curve import multiply, point_bytes, scalar
from hashes import bits, chunks, number, read_point, read_scalar
from signing import Pair, Session, Signer, combine, fourth


def data(value):
    return bytes.fromhex(value) if isinstance(value, str) else b"".join(map(data, value))


def seeds(value, count):
    return [chunks(tree, 32) for tree in chunks(data(value), 32 * count)]


def hexadecimal(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: hexadecimal(item) for key, item in value.items()}
    return [hexadecimal(item) for item in value] if isinstance(value, list) else value


def read_signer(session, request):
    pairs = {
        pair["peer"]: Pair(
            data(pair["seed"]), bits(data(pair["delta"])),
            seeds(pair["sender_seeds"], 15), seeds(pair["receiver_seeds"], 16))
        for pair in request["pairs"] if pair["peer"] in session.indices
    }  # fmt: skip
    share, fresh, name = read_scalar(0, data(request["share"])), data(request["fresh"]), data(request["session"])
    return Signer(session, request["index"], share, fresh, pairs, name)


def sign(request):
    group, message = request["group"], request["message"] and data(request["message"])
    session = Session(
        read_point(0, data(group["public_key"])), data(group["fingerprint"]), data(request["setup"]), request["epoch"],
        [signer["index"] for signer in request["signers"]], read_scalar(0, data(request["tweak"])), message)  # fmt: skip
    signers = {signer["index"]: read_signer(session, signer) for signer in request["signers"]}

    def row(step, i, j, body):
        return {"from": i, "to": j, "body": body, "message": signers[i].packed(step, j, body)}

    def to_all(step, messages):
        return [row(step, i, None, body) for i, body in messages.items()]

    def private(step, messages):
        return [row(step, i, j, body) for i, sent in messages.items() for j, body in sent.items()]

    def to_each(messages):
        return {i: {j: sent[i] for j, sent in messages.items() if j != i} for i in signers}

    firsts = {i: signer.first() for i, signer in signers.items()}
    seconds = {i: signer.second(firsts) for i, signer in signers.items()}
    received = to_each(seconds)
    thirds = {i: signer.third(received[i]) for i, signer in signers.items()}
    received = to_each(thirds)
    presignatures = {i: signer.finish(received[i]) for i, signer in signers.items()}

    rounds = [to_all(1, firsts), private(2, seconds), private(3, thirds)]
    answer = {"context": session.context, "ssid": next(iter(signers.values())).ssid, "rounds": rounds}
    answer["presignatures"] = [
        {"index": i, "R": point_bytes(point), "phi": number(32, phi), "rv": number(32, rv), "u": number(32, u)}
        for i, (point, phi, rv, u) in presignatures.items()
    ]
    message = message or data(request.get("later", ""))
    if message:
        fourths = {i: fourth(presignature, message) for i, presignature in presignatures.items()}
        rounds.append(to_all(4, fourths))
        point = next(iter(presignatures.values()))[0]
        r, s, recovery = combine(session.public_key, point, message, fourths.values())
        answer.update(r=number(32, r), s=number(32, s), recovery_id=recovery)
    return answer


def read_session(session):
    """sid, and the host keys."""
    host_keys = chunks(data(session["host_keys"]), 33)
    sid = setup.session_id(data(session["identifier"]), data(session["fingerprint"]), session["epoch"], host_keys)
    return sid, host_keys


def set_up(request):
    (sid, host_keys), a, b = read_session(request["session"]), request["a"], request["b"]
    host_secret = read_scalar(0, data(request["host_secret"]))
    seed = base_ot.pair_seed(sid, a, b, multiply(host_secret, read_point(b, host_keys[b - 1])))

    def draws(side, index, fresh, answered=b""):
        share = read_scalar(0, data(request[f"{side}_share"]))
        return setup.Draws(data(request[fresh]), share, seed, index, answered)

    drawn, rows = draws("b", b, "b_fresh"), range(base_ot.BASE)
    receiver = setup.BaseReceiver(sid, a, b, bits(drawn.draw(16)), drawn)
    bodies, messages, names = [receiver.first()], [], []

    def send(nonce):
        messages.append(setup.sealed(sid, a, b, seed, len(bodies), bodies[-1], nonce, names))
        names.append(setup.name(messages[-1]))

    send(drawn.draw(24))
    drawn = draws("a", a, "a_fresh", names[0])
    zero, one = ([drawn.scalar() for _ in rows] for _ in (0, 1))
    sender = setup.BaseSender(sid, a, b, bits(drawn.draw(48)), list(zip(zero, one)))
    bodies.append(sender.second(bodies[0]))
    send(drawn.draw(24))
    drawn = draws("b", b, "b_fresh_3", names[1])
    bodies.append(receiver.third(bodies[1], bits(drawn.draw(48))))
    send(drawn.draw(24))
    message, a_keeps = sender.fourth(bodies[2])
    bodies.append(message)
    send(data(request["nonce"]))

    def kept(peer, pair):
        return {
            "peer": peer, "seed": seed, "delta": pair.delta.to_bytes(32, "little"),
            "sender_seeds": pair.sender_seeds(), "receiver_seeds": pair.receiver_seeds(),
            "sender_base": pair.sender_base, "co_paths": pair.co_paths,
            "receiver_base": pair.receiver_base, "roots": pair.roots,
        }  # fmt: skip

    return {"bodies": bodies, "messages": messages, "a": kept(b, a_keeps), "b": kept(a, receiver.finish(message))}


def transcript(request):
    sid, _ = read_session(request["session"])
    digests = [setup.digest(sid, pair["a"], pair["b"], map(data, pair["messages"])) for pair in request["pairs"]]
    return {"sid": sid, "digests": digests, "setup": setup.identity(sid, digests)}


def base_senders(count):
    pairs = [[i, j] for i in range(1, count + 1) for j in range(1, count + 1) if i != j]
    return [pair for pair in pairs if base_ot.is_base_sender(count, *pair)]


COMMANDS = {
    "sign": sign,
    "setup": set_up,
    "transcript": transcript,
    "order": lambda request: [base_senders(count) for count in request["counts"]],
}

if __name__ == "__main__":
    if sys.argv[1:] == ["selftest"]:
        selftest.run()
    else:
        request = json.load(sys.stdin)
        json.dump(hexadecimal(COMMANDS[request["op"]](request)), sys.stdout)
