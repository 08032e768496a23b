"""Reads a signed PSBT with embit, and has it put the transaction together: what we write has to be readable by others.

    {"psbt": base64}  ->  {"tx": hex}       an input without a signature is an error
"""

import json
import sys

from embit.finalizer import finalize_psbt
from embit.psbt import PSBT
from embit.script import Witness

# BIP-371: the signature by an output's key. embit reads the field, but finalises only its own signatures.
TAP_KEY_SIGNATURE = b"\x13"


def read(request):
    psbt = PSBT.from_string(request["psbt"])
    for scope in psbt.inputs:
        if TAP_KEY_SIGNATURE in scope.unknown:
            scope.final_scriptwitness = Witness([scope.unknown[TAP_KEY_SIGNATURE]])
    transaction = finalize_psbt(psbt)
    if transaction is None:
        raise SystemExit("not every input is signed")
    return {"tx": transaction.serialize().hex()}


if __name__ == "__main__":
    json.dump(read(json.load(sys.stdin)), sys.stdout)
