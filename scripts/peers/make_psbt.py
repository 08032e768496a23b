"""Makes an unsigned PSBT v0 with embit, which is not ours: the maker of what we sign must be independent of us.

JSON in on standard input, JSON out on standard output:

    {"inputs":  [{"txid", "vout", "value", "script_pubkey", "sequence"?, "witness_utxo"?: false to leave it out,
                  "previous_tx"?: hex, "key"?}],
     "outputs": [{"value", "script_pubkey", "key"?}],
     "version"?: 2, "locktime"?: 0}
    key: {"internal_xonly", "fingerprint"?, "path"?}    BIP-371 internal key, and its derivation where both are given
      or {"group_xonly", "path"}                        the same, derived here from a group's key, as BIP-328 says
      or {"group_point", "path"}                        the BIP-174 derivation of a P2WPKH key, derived here likewise
    ->  {"psbt": base64}
With an argument, the PSBT is also written to that file, in binary.
"""

import json
import sys

from embit.bip32 import HDKey, parse_path
from embit.ec import PublicKey
from embit.psbt import PSBT, DerivationPath
from embit.script import Script, p2tr, p2wpkh
from embit.transaction import Transaction, TransactionInput, TransactionOutput

# The chain code that BIP-328 assigns to every group key: SHA256("MuSig2MuSig2MuSig2").
CHAIN_CODE = bytes.fromhex("868087ca02a6f974c4598924c36b57762d32cb45717167e300622c7167e38965")


def derive(key, script_pubkey):
    """Our own derivation of the key: it must lead to the script that the wallet gave as its own."""
    group = HDKey(PublicKey.from_xonly(bytes.fromhex(key["group_xonly"])), CHAIN_CODE)
    child = group.derive(parse_path(key["path"])).key
    if p2tr(child).data.hex() != script_pubkey:
        raise SystemExit(f"{key['path']} of this group key has another script: {p2tr(child).data.hex()}")
    return {"internal_xonly": child.xonly().hex(), "fingerprint": group.my_fingerprint.hex(), "path": key["path"]}


def describe_ecdsa_key(scope, key, script_pubkey):
    group = HDKey(PublicKey.parse(bytes.fromhex(key["group_point"])), CHAIN_CODE)
    child = group.derive(parse_path(key["path"])).key
    if p2wpkh(child).data.hex() != script_pubkey:
        raise SystemExit(f"{key['path']} of this group key has another script: {p2wpkh(child).data.hex()}")
    scope.bip32_derivations[child] = DerivationPath(group.my_fingerprint, parse_path(key["path"]))


def describe_key(scope, key, script_pubkey):
    if key is None:
        return
    if "group_point" in key:
        describe_ecdsa_key(scope, key, script_pubkey)
        return
    if "group_xonly" in key:
        key = derive(key, script_pubkey)
    public = PublicKey.from_xonly(bytes.fromhex(key["internal_xonly"]))
    scope.taproot_internal_key = public
    if "path" in key and "fingerprint" in key:
        origin = DerivationPath(bytes.fromhex(key["fingerprint"]), parse_path(key["path"]))
        scope.taproot_bip32_derivations[public] = ([], origin)


def coin(entry):
    return TransactionOutput(entry["value"], Script(bytes.fromhex(entry["script_pubkey"])))


def make(request):
    transaction = Transaction(
        version=request.get("version", 2),
        vin=[
            TransactionInput(bytes.fromhex(entry["txid"]), entry["vout"], sequence=entry.get("sequence", 0xFFFFFFFD))
            for entry in request["inputs"]
        ],
        vout=[coin(entry) for entry in request["outputs"]],
        locktime=request.get("locktime", 0),
    )
    psbt = PSBT(transaction)
    for scope, entry in zip(psbt.inputs, request["inputs"]):
        if entry.get("witness_utxo", True):
            scope.witness_utxo = coin(entry)
        if "previous_tx" in entry:
            scope.non_witness_utxo = Transaction.from_string(entry["previous_tx"])
        describe_key(scope, entry.get("key"), entry["script_pubkey"])
    for scope, entry in zip(psbt.outputs, request["outputs"]):
        describe_key(scope, entry.get("key"), entry["script_pubkey"])
    return psbt


if __name__ == "__main__":
    result = make(json.load(sys.stdin))
    if len(sys.argv) > 1:
        with open(sys.argv[1], "wb") as file:
            file.write(result.serialize())
    json.dump({"psbt": result.to_string()}, sys.stdout)
