"""Asks a node one question, with nothing but the standard library.

    rpc.py URL METHOD PARAMETERS      JSON-RPC; prints the result as JSON, or says why there is none
"""

import http.client
import json
import sys
from urllib.parse import urlsplit

url, method, parameters = sys.argv[1:]
connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
question = {"jsonrpc": "2.0", "id": 1, "method": method, "params": json.loads(parameters)}
connection.request("POST", "/", json.dumps(question), {"Content-Type": "application/json"})
answer = json.load(connection.getresponse())
if "error" in answer:
    raise SystemExit(f"{method}: {answer['error']['message']}")
json.dump(answer["result"], sys.stdout)
