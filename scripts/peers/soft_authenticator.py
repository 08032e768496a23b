#!/usr/bin/env python3
"""Another authenticator and browser, by the package `soft-webauthn`: one registration, and then authentications.

    {"origin", "creation": text, "requests": [text, ...]}  ->  {"registration": text, "authentications": [text, ...]}

Options come, and responses go, as JSON in text.
"""

import json
import sys
from base64 import urlsafe_b64decode, urlsafe_b64encode

from soft_webauthn import SoftWebauthnDevice


def decoded(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(value):
    if isinstance(value, bytes):
        return urlsafe_b64encode(value).decode().rstrip("=")
    return {name: encoded(member) for name, member in value.items()} if isinstance(value, dict) else value


def response(credential):
    credential["id"] = credential["id"].decode().rstrip("=")
    return json.dumps(encoded(credential))


request = json.load(sys.stdin)
device = SoftWebauthnDevice()

creation = json.loads(request["creation"])
creation["challenge"] = decoded(creation["challenge"])
creation["user"]["id"] = decoded(creation["user"]["id"])
answer = {"registration": response(device.create({"publicKey": creation}, request["origin"])), "authentications": []}
for text in request["requests"]:
    options = json.loads(text)
    options["challenge"] = decoded(options["challenge"])
    answer["authentications"].append(response(device.get({"publicKey": options}, request["origin"])))
json.dump(answer, sys.stdout)
