"""rust-bitcoin's verifier of BIP-322, which is not ours.

JSON in on standard input: [{"address": text, "message": text, "signature": Base64 without a prefix}];
JSON out on standard output: [bool], whether each is valid.
"""

import json
import sys

from bip322 import VerificationError, verify_simple_encoded


def is_valid(claim):
    try:
        verify_simple_encoded(claim["address"], claim["message"], claim["signature"])
        return True
    except VerificationError:
        return False


json.dump([is_valid(claim) for claim in json.load(sys.stdin)], sys.stdout)
