"""joserfc: signs and reads tokens by ES256, and knows the thumbprints of keys. None of it is ours.

    jose.py key                 {} -> {"private": JWK as text, "public": JWK as text, "thumbprint": text}
    jose.py sign                {"key": JWK, "header": JSON as text, "claims": JSON as text} -> text
    jose.py read                {"key": JWK, "token": text} -> {"header": JSON as text, "claims": JSON as text}
    jose.py read_set            {"key": key set as text, "token": text} -> the same
    jose.py proof               {"token": a DPoP proof} -> the same, verified by the key in its header, and {"thumbprint": text}
    jose.py successor           {"random": hex, "hash": hex, "sealed": hex} -> hex: opens what a row has of a rotation

JSON in on standard input, JSON out on standard output.
"""

import json
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from joserfc import jws
from joserfc.jwk import ECKey, KeySet

ALGORITHMS = ["ES256"]


def read(token, key):
    message = jws.deserialize_compact(token, key, algorithms=ALGORITHMS)
    return {"header": json.dumps(message.headers()), "claims": message.payload.decode()}


def run(command, request):
    if command == "key":
        key = ECKey.generate_key("P-256", private=True)
        public = key.as_dict(private=False)
        return {
            "private": json.dumps(key.as_dict(private=True)),
            "public": json.dumps(public),
            "thumbprint": ECKey.import_key(public).thumbprint(),
        }
    if command == "sign":
        key = ECKey.import_key(json.loads(request["key"]))
        return jws.serialize_compact(json.loads(request["header"]), request["claims"], key, algorithms=ALGORITHMS)
    if command == "read":
        return read(request["token"], ECKey.import_key(json.loads(request["key"])))
    if command == "read_set":
        return read(request["token"], KeySet.import_key_set(json.loads(request["key"])))
    if command == "proof":
        header = jws.extract_compact(request["token"].encode()).headers()
        key = ECKey.import_key(header["jwk"])
        return read(request["token"], key) | {"thumbprint": key.thumbprint()}
    if command == "successor":
        sealed = bytes.fromhex(request["sealed"])
        key = HKDFExpand(hashes.SHA256(), 32, b"fueki refresh successor 1").derive(bytes.fromhex(request["random"]))
        return AESGCM(key).decrypt(sealed[:12], sealed[12:], bytes.fromhex(request["hash"])).hex()
    raise SystemExit(f"jose.py knows no {command}")


json.dump(run(sys.argv[1], json.load(sys.stdin)), sys.stdout)
