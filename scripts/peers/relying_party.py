#!/usr/bin/env python3
"""Another relying party, by the package `webauthn`: it makes options, and verifies responses.

    options       {"rp_id", "challenge", "user"}                       ->  {"creation": text, "request": text}
    register      {"response", "challenge", "rp_id", "origin", "uv"}    ->  {"key", "id", "count", "format", ...}
    authenticate  the same, and {"key", "count"}                       ->  {"key", "id", "count", "format", ...}

Bytes are hexadecimal; responses and options are JSON in text. What it does not accept ends it with an error.
"""

import json
import sys

import webauthn
from webauthn.helpers.structs import (
    AttestationConveyancePreference, AuthenticatorSelectionCriteria, ResidentKeyRequirement,
    UserVerificationRequirement)

request = json.load(sys.stdin)
challenge = bytes.fromhex(request["challenge"])


def options():
    creation = webauthn.generate_registration_options(
        rp_id=request["rp_id"], rp_name="Example", user_name="ada", user_display_name="Ada",
        user_id=bytes.fromhex(request["user"]), challenge=challenge,
        attestation=AttestationConveyancePreference.DIRECT,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED))
    get = webauthn.generate_authentication_options(
        rp_id=request["rp_id"], challenge=challenge, user_verification=UserVerificationRequirement.REQUIRED)
    return {"creation": webauthn.options_to_json(creation), "request": webauthn.options_to_json(get)}


def register():
    verified = webauthn.verify_registration_response(
        credential=request["response"], expected_challenge=challenge, expected_rp_id=request["rp_id"],
        expected_origin=request["origin"], require_user_verification=request["uv"])
    return {
        "id": verified.credential_id.hex(), "key": verified.credential_public_key.hex(),
        "count": verified.sign_count, "format": getattr(verified.fmt, "value", verified.fmt), "uv": verified.user_verified,
        "device": verified.credential_device_type.value, "backed_up": verified.credential_backed_up}


def authenticate():
    verified = webauthn.verify_authentication_response(
        credential=request["response"], expected_challenge=challenge, expected_rp_id=request["rp_id"],
        expected_origin=request["origin"], credential_public_key=bytes.fromhex(request["key"]),
        credential_current_sign_count=request["count"], require_user_verification=request["uv"])
    return {
        "id": verified.credential_id.hex(), "key": request["key"], "count": verified.new_sign_count, "format": "",
        "uv": verified.user_verified, "device": verified.credential_device_type.value,
        "backed_up": verified.credential_backed_up}


json.dump({"options": options, "register": register, "authenticate": authenticate}[sys.argv[1]](), sys.stdout)
