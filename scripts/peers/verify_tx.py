"""Runs each input of a transaction through Bitcoin Core's own script engine (libbitcoinkernel), all rules on.

    {"tx": hex, "prevouts": [{"value", "script_pubkey"}]}      one for each input, in their order
    ->  {"inputs": [{"ok": true}]}
"""

import json
import sys

from pbk import ScriptPubkey, ScriptVerificationFlags, Transaction, TransactionOutput
from pbk.script import PrecomputedTransactionData

EVERY_RULE = ScriptVerificationFlags(sum(ScriptVerificationFlags))


def verify(request):
    transaction = Transaction(bytes.fromhex(request["tx"]))
    coins = [(entry["value"], ScriptPubkey(bytes.fromhex(entry["script_pubkey"]))) for entry in request["prevouts"]]
    count = len(transaction.inputs)
    if count != len(coins):
        raise SystemExit(f"{count} inputs, {len(coins)} prevouts")
    precomputed = PrecomputedTransactionData(transaction, [TransactionOutput(script, value) for value, script in coins])
    return [
        {"ok": bool(script.verify(value, transaction, precomputed, index, EVERY_RULE))}
        for index, (value, script) in enumerate(coins)
    ]


if __name__ == "__main__":
    json.dump({"inputs": verify(json.load(sys.stdin))}, sys.stdout)
