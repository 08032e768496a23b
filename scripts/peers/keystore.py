"""eth-account, which is not ours, writes the keystore of a key.

{"key": hex, "password": text, "kdf": "scrypt" | "pbkdf2"} on standard input -> {"file": JSON text, "address": text}; cheap to
open, since the password is no secret.
"""

import json
import sys

from eth_account import Account

request = json.load(sys.stdin)
rounds = {"scrypt": 1024, "pbkdf2": 1000}[request["kdf"]]
store = Account.encrypt(request["key"], request["password"], kdf=request["kdf"], iterations=rounds)
json.dump({"file": json.dumps(store), "address": Account.from_key(request["key"]).address}, sys.stdout)
