"""Where other implementations find an account of a mnemonic: `mnemonic` and embit for Bitcoin, eth-account for Ethereum.

{"words": text, "passphrase": text, "account": number} on standard input -> {"segwit": [hex], "taproot": [hex], "ethereum":
[address]}: scripts of test networks at 0/0, 0/5 and 1/2 below BIP-84's and BIP-86's account, and the addresses at 0/0 and 0/1
below BIP-44's account of Ethereum. Without a number it is the first account.
"""

import json
import sys

from embit import bip32, script
from eth_account import Account
from mnemonic import Mnemonic

request = json.load(sys.stdin)
words, passphrase, account = request["words"], request.get("passphrase", ""), request.get("account", 0)
root = bip32.HDKey.from_seed(Mnemonic.to_seed(words, passphrase))
PATHS = ["0/0", "0/5", "1/2"]


def scripts(purpose, make):
    keys = [root.derive(f"m/{purpose}h/1h/{account}h/{path}").get_public_key() for path in PATHS]
    return [make(key).data.hex() for key in keys]


def address(index):
    return Account.from_mnemonic(words, passphrase, account_path=f"m/44'/60'/{account}'/0/{index}").address


Account.enable_unaudited_hdwallet_features()
json.dump(
    {
        "segwit": scripts(84, script.p2wpkh),
        "taproot": scripts(86, script.p2tr),
        "ethereum": [address(0), address(1)],
    },
    sys.stdout,
)
