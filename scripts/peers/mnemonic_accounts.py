"""Where other implementations find the accounts of a mnemonic: `mnemonic` and embit for Bitcoin, eth-account for Ethereum.

{"words": text} on standard input -> {"segwit": [hex], "taproot": [hex], "ethereum": [address]}: scripts of test networks at
0/0, 0/5 and 1/2 below BIP-84's and BIP-86's first account, and the first account of Ethereum.
"""

import json
import sys

from embit import bip32, script
from eth_account import Account
from mnemonic import Mnemonic

words = json.load(sys.stdin)["words"]
root = bip32.HDKey.from_seed(Mnemonic.to_seed(words))
PATHS = ["0/0", "0/5", "1/2"]


def scripts(purpose, make):
    keys = [root.derive(f"m/{purpose}h/1h/0h/{path}").get_public_key() for path in PATHS]
    return [make(key).data.hex() for key in keys]


Account.enable_unaudited_hdwallet_features()
json.dump(
    {
        "segwit": scripts(84, script.p2wpkh),
        "taproot": scripts(86, script.p2tr),
        "ethereum": [Account.from_mnemonic(words).address],
    },
    sys.stdout,
)
