"""Two exchanges on one port of 127.0.0.1, which check keys, signatures, times and nonces as Binance and Kraken document them. They
use Python's standard library only, and so share no code with the client under test. They end with their standard input.

    exchange.py BINANCE_KEY BINANCE_SECRET BINANCE_ED25519_PUBLIC_HEX KRAKEN_KEY KRAKEN_SECRET

`POST /control` with a name makes the next order end in that trouble; `GET /control` returns the number of orders."""

import base64
import datetime
import hashlib
import hmac
import http.server
import json
import sys
import threading
import time
import urllib.parse

BINANCE_KEY, BINANCE_SECRET, BINANCE_PUBLIC, KRAKEN_KEY, KRAKEN_SECRET = sys.argv[1:6]
LOCK = threading.Lock()
ORDERS, TROUBLES = {}, []
NONCE = [0]

# Ed25519 (RFC 8032, section 5.1) in affine coordinates: slow, and short.
P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    product = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + product, -1, P)
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, P)
    return x % P, y % P


def times(scalar, point):
    result = (0, 1)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def point(encoded):
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        raise ValueError("not a point")
    return (P - x if x & 1 != sign else x), y


BASE = point(bytes([0x58]) + bytes([0x66]) * 31)


def verifies(public, message, signature):
    if len(signature) != 64:
        return False
    commitment, scalar = signature[:32], int.from_bytes(signature[32:], "little")
    challenge = int.from_bytes(hashlib.sha512(commitment + public + message).digest(), "little")
    return times(scalar, BASE) == add(point(commitment), times(challenge, point(public)))


def milliseconds():
    return int(time.time() * 1000)


class Exchange(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, status=200):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = True

    def refuse(self, code, text="refused"):
        self.answer({"code": code, "msg": text}, 400)

    def do_GET(self):
        self.handle_request(b"")

    def do_POST(self):
        self.handle_request(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def handle_request(self, body):
        path, _, query = self.path.partition("?")
        if path == "/control":
            with LOCK:
                if body:
                    TROUBLES.append(body.decode())
                self.answer({"orders": sorted(ORDERS)})
        elif path == "/api/v3/time":
            self.answer({"serverTime": milliseconds()})
        elif path == "/0/public/Time":
            self.answer({"error": [], "result": {"unixtime": int(time.time())}})
        elif path.startswith("/0/private/"):
            self.kraken(path, body)
        else:
            self.binance(path, query, body)

    def take(self, key, value):
        """Accepts an order; returns False if the connection is to end without an answer."""
        with LOCK:
            trouble = TROUBLES.pop(0) if TROUBLES else None
            if trouble != "cut-before":
                ORDERS[key] = value
        if trouble in ("cut-before", "cut-after"):
            self.close_connection = True
            return False
        if trouble == "half":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
            self.close_connection = True
            return False
        if trouble == "gateway":
            self.answer(b"<html>", 502)
            return False
        return True

    def binance(self, path, query, body):
        if self.headers.get("X-MBX-APIKEY") != BINANCE_KEY:
            return self.refuse(-2015)
        whole = query + body.decode()
        payload, mark, signature = whole.rpartition("&signature=")
        form = dict(urllib.parse.parse_qsl(whole, strict_parsing=True))
        if not mark:
            return self.refuse(-1102)
        signature = urllib.parse.unquote(signature)
        expected = hmac.new(BINANCE_SECRET.encode(), payload.encode(), hashlib.sha256).hexdigest()
        if len(signature) == 64:
            is_right = hmac.compare_digest(expected, signature)
        else:
            is_right = verifies(bytes.fromhex(BINANCE_PUBLIC), payload.encode(), base64.b64decode(signature, validate=True))
        if not is_right:
            return self.refuse(-1022)
        stamp, window = int(form["timestamp"]), int(form.get("recvWindow", 5000))
        if stamp >= milliseconds() + 1000 or milliseconds() - stamp > window:
            return self.refuse(-1021)
        if self.command == "GET":
            with LOCK:
                order = ORDERS.get(form["origClientOrderId"])
            return self.answer(order) if order else self.refuse(-2013)
        if path.endswith("/test"):
            return self.answer({})
        order = {
            "symbol": form["symbol"], "orderId": 28, "clientOrderId": form["newClientOrderId"], "side": form["side"],
            "origQty": form["quantity"], "executedQty": "0.00000000", "status": "NEW",
        }  # fmt: skip
        if self.take(form["newClientOrderId"], order):
            self.answer(order)

    def kraken(self, path, body):
        def refuse(text):
            self.answer({"error": [text]})

        if self.headers.get("API-Key") != KRAKEN_KEY:
            return refuse("EAPI:Invalid key")
        form = dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=True))
        digest = hashlib.sha256(form["nonce"].encode() + body).digest()
        expected = hmac.new(base64.b64decode(KRAKEN_SECRET), path.encode() + digest, hashlib.sha512).digest()
        if not hmac.compare_digest(base64.b64encode(expected).decode(), self.headers.get("API-Sign", "")):
            return refuse("EAPI:Invalid signature")
        with LOCK:
            if int(form["nonce"]) <= NONCE[0]:
                return refuse("EAPI:Invalid nonce")
            NONCE[0] = int(form["nonce"])
        if path.endswith("Orders"):
            kind = "open" if path.endswith("OpenOrders") else "closed"
            with LOCK:
                order = ORDERS.get(form["cl_ord_id"])
            return self.answer({"error": [], "result": {kind: {"OAAAAA-BBBBB-CCCCCC": order} if order and kind == "open" else {}}})
        if form.get("validate") == "true":
            return self.answer({"error": [], "result": {"descr": {}}})
        deadline = datetime.datetime.strptime(form["deadline"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
        if not 2 <= deadline.timestamp() - time.time() <= 60:
            return refuse("EGeneral:Invalid arguments:deadline")
        order = {
            "status": "open", "cl_ord_id": form["cl_ord_id"], "vol": form["volume"], "vol_exec": "0",
            "descr": {"type": form["type"], "pair": form["pair"]},
        }  # fmt: skip
        if self.take(form["cl_ord_id"], order):
            self.answer({"error": [], "result": {"txid": ["OAAAAA-BBBBB-CCCCCC"], "descr": {}}})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Exchange)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"ready {server.server_port}", flush=True)
sys.stdin.read()
