"""embit as a wallet with one plain key: shows that the peers agree with each other before they judge us.

    single_key.py script   {"secret": hex}           ->  {"internal_xonly", "script_pubkey"}    its P2TR output
    single_key.py sign     {"secret": hex, "psbt"}   ->  {"psbt", "tx"}                         signed; final transaction, hex
"""

import json
import sys

from embit import script
from embit.ec import PrivateKey
from embit.finalizer import finalize_psbt
from embit.psbt import PSBT


def describe(request):
    public = PrivateKey(bytes.fromhex(request["secret"])).get_public_key()
    return {"internal_xonly": public.xonly().hex(), "script_pubkey": script.p2tr(public).data.hex()}


def sign(request):
    psbt = PSBT.from_string(request["psbt"])
    if psbt.sign_with(PrivateKey(bytes.fromhex(request["secret"]))) != len(psbt.inputs):
        raise SystemExit("not every input could be signed")
    return {"psbt": psbt.to_string(), "tx": finalize_psbt(psbt).serialize().hex()}


if __name__ == "__main__":
    command = {"script": describe, "sign": sign}[sys.argv[1]]
    json.dump(command(json.load(sys.stdin)), sys.stdout)
