#!/usr/bin/env python3
"""Another client of the auth server, with nothing of ours: passkeys by `soft-webauthn`, proofs (RFC 9449) by PyJWT.

    {"url"}  ->  what it went through, and what it was told: see the end.

Signs up, reads its session, refreshes, signs in again with the passkey, and presents a refresh token with another key.
"""

import hashlib
import json
import sys
import time
import urllib.error
import urllib.request
import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from jwt.algorithms import ECAlgorithm
from soft_webauthn import SoftWebauthnDevice


def decoded(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(value):
    if isinstance(value, bytes):
        return urlsafe_b64encode(value).decode().rstrip("=")
    return {name: encoded(member) for name, member in value.items()} if isinstance(value, dict) else value


def response(credential):
    credential["id"] = credential["id"].decode().rstrip("=")
    return encoded(credential)


VERIFIED = 0x04


class Passkey(SoftWebauthnDevice):
    """A passkey of `soft-webauthn`, which never reports that the user was verified. This one can."""

    def register(self, options, origin, verified):
        credential = self.create({"publicKey": options}, origin)
        if verified:
            attestation = cbor.decode(credential["response"]["attestationObject"])
            attestation["authData"] = self.flagged(attestation["authData"])
            credential["response"]["attestationObject"] = cbor.encode(attestation)
        return response(credential)

    def authenticate(self, options, origin):
        credential = self.get({"publicKey": options}, origin)
        answer = credential["response"]
        answer["authenticatorData"] = self.flagged(answer["authenticatorData"])
        signed = answer["authenticatorData"] + hashlib.sha256(answer["clientDataJSON"]).digest()
        answer["signature"] = self.private_key.sign(signed, ec.ECDSA(hashes.SHA256()))
        return response(credential)

    @staticmethod
    def flagged(data):
        return data[:32] + bytes([data[32] | VERIFIED]) + data[33:]


class Client:
    def __init__(self, url):
        self.url = url
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.nonce = None

    def proof(self, method, path, token):
        jwk = json.loads(ECAlgorithm.to_jwk(self.key.public_key()))
        claims = {"jti": str(uuid.uuid4()), "htm": method, "htu": self.url + path, "iat": int(time.time())}
        if self.nonce:
            claims["nonce"] = self.nonce
        if token:
            claims["ath"] = encoded(hashlib.sha256(token.encode()).digest())
        header = {"typ": "dpop+jwt", "jwk": {name: jwk[name] for name in ("kty", "crv", "x", "y")}}
        return jwt.encode(claims, self.key, algorithm="ES256", headers=header)

    def send(self, method, path, body=None, token=None, attempts=2):
        headers = {"DPoP": self.proof(method, path, token)}
        if token:
            headers["Authorization"] = "DPoP " + token
        if body is not None:
            headers["Content-Type"] = "application/json"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                self.nonce = answer.headers["DPoP-Nonce"] or self.nonce
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            self.nonce = error.headers["DPoP-Nonce"] or self.nonce
            problem = json.loads(error.read())
            if problem["code"] == "use_dpop_nonce" and attempts > 1:
                return self.send(method, path, body, token, attempts - 1)
            return error.code, problem


def options_of(answer):
    options = answer[1]["public_key"]
    options["challenge"] = decoded(options["challenge"])
    if "user" in options:
        options["user"]["id"] = decoded(options["user"]["id"])
    return options


def sign_up(client, passkey, verified):
    begun = client.send("POST", "/api/auth/passkey/register/options", {"purpose": "sign_up", "account_name": "Soft"})
    credential = passkey.register(options_of(begun), client.url, verified)
    return client.send(
        "POST", "/api/auth/passkey/register", {"credential": credential, "account_name": "Soft"}
    )


def refresh(client, token):
    return client.send("POST", "/api/auth/token/validate", {"refresh_token": token})


def main():
    url = json.load(sys.stdin)["url"]
    client, passkey, answers = Client(url), Passkey(), {}

    _, refused = sign_up(client, Passkey(), verified=False)
    answers["unverified"] = refused["code"]
    _, made = sign_up(client, passkey, verified=True)
    answers["recovery_codes"] = len(made["recovery_codes"])
    tokens = made["tokens"]

    _, session = client.send("GET", "/api/auth/session", token=tokens["access_token"])
    answers["account_name"] = session["account_name"]
    _, renewed = refresh(client, tokens["refresh_token"])
    answers["is_renewed"] = renewed["refresh_token"] != tokens["refresh_token"]

    begun = client.send("POST", "/api/auth/passkey/authenticate/options", {"purpose": "sign_in"})
    credential = passkey.authenticate(options_of(begun), url)
    _, again = client.send("POST", "/api/auth/passkey/authenticate", {"credential": credential})
    answers["is_same_account"] = again["account_id"] == tokens["account_id"]
    _, replayed = client.send("POST", "/api/auth/passkey/authenticate", {"credential": credential})
    answers["replayed"] = replayed["code"]

    # Another client has the token, but not the key: that ends the session, and not the other one.
    answers["other_key"] = refresh(Client(url), renewed["refresh_token"])[1]["code"]
    answers["after_theft"] = refresh(client, renewed["refresh_token"])[1]["code"]
    answers["other_session"], _ = client.send("GET", "/api/auth/session", token=again["access_token"])
    json.dump(answers, sys.stdout)


main()
