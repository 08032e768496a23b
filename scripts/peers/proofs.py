"""Hooks for schemathesis: they add proofs to the requests that need one by the document, so that these reach the code behind the check.

From the environment: FUEKI_URL, FUEKI_ACCESS_TOKEN, FUEKI_DEVICE_KEY, the private key that it is bound to, in hexadecimal, and
FUEKI_CLIENT, the name and secret of a service that may introspect tokens.
"""

import hashlib
import json
import os
import time
import uuid
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import urlsplit

import schemathesis
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc import jwt
from joserfc.jwk import ECKey

URL = os.environ["FUEKI_URL"]
TOKEN = os.environ["FUEKI_ACCESS_TOKEN"]
CLIENT = b64encode(os.environ["FUEKI_CLIENT"].encode()).decode()
NUMBER = int(os.environ["FUEKI_DEVICE_KEY"], 16)
KEY = ECKey.import_key(
    ec.derive_private_key(NUMBER, ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
)
# These requests are sent without the session, which they would end for all other requests. The identifiers that
# schemathesis puts into a path come from earlier responses.
ENDINGS = {"logout", "eraseAccount", "revokeDevice", "revokeSession"}
nonce = None


def proof(method, url, token):
    claims = {"jti": str(uuid.uuid4()), "htm": method, "htu": url, "iat": int(time.time())}
    if nonce:
        claims["nonce"] = nonce
    if token:
        claims["ath"] = urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode().rstrip("=")
    header = {"typ": "dpop+jwt", "alg": "ES256", "jwk": KEY.as_dict(private=False)}
    return jwt.encode(header, claims, KEY, algorithms=["ES256"])


def is_proved(operation):
    return any(parameter.get("$ref") == "#/components/parameters/DPoP" for parameter in operation.get("parameters", []))


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw
    is_wrong = case.meta is not None and case.meta.generation.mode.is_negative
    if {"client": []} in operation.get("security", []) and case.headers is not None and not is_wrong:
        case.headers["Authorization"] = "Basic " + CLIENT
    # A request whose test is a missing proof is sent without one.
    if not is_proved(operation) or "DPoP" not in (case.headers or {}):
        return
    # Some requests that have to be wrong fail at the proof, and others later.
    if is_wrong and len(case.headers["DPoP"]) % 3 == 0:
        return
    wants_session = {"session": []} in operation.get("security", [])
    token = TOKEN if wants_session and operation["operationId"] not in ENDINGS else None
    case.headers["DPoP"] = proof(case.method.upper(), URL + case.formatted_path, token)
    if token:
        case.headers["Authorization"] = "DPoP " + token


@schemathesis.hook
def after_call(context, case, response):
    global nonce
    values = response.headers.get("dpop-nonce")
    if values:
        nonce = values[0]
