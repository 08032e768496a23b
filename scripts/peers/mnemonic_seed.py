#!/usr/bin/env python3
"""The entropy and the seed of a mnemonic, by the package `mnemonic`.

    {"words": …, "passphrase": …}  ->  {"entropy": hex, "seed": hex}
"""

import json
import sys

from mnemonic import Mnemonic

request = json.load(sys.stdin)
answer = {
    "entropy": Mnemonic("english").to_entropy(request["words"]).hex(),
    "seed": Mnemonic.to_seed(request["words"], request["passphrase"]).hex(),
}
json.dump(answer, sys.stdout)
