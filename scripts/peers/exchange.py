"""Two exchanges on one port of 127.0.0.1, which check keys, signatures, times and nonces as Binance and Kraken document them. They
use Python's standard library only, and so share no code with the client under test. They end with their standard input.

    exchange.py BINANCE_KEY BINANCE_SECRET BINANCE_ED25519_PUBLIC_HEX KRAKEN_KEY KRAKEN_SECRET

`POST /control` with a name makes the next order end in that trouble, and `fill ID AMOUNT` fills a part of an order; `GET /control`
returns the ids of the orders. After `late` an order has no answer, and takes effect after the first query for it (Kraken);
`await` is answered when there is such an order. `POST /control`
with `set KEY NAME=VALUE …` changes a key, or adds one with the same secret: its `account`, whether it can `withdraw` and has a `list`
of addresses (1 or 0), whether it is `known`, its nonce `window` (Kraken), the seconds of a `ban` that every request gets, and the
`calls` that Kraken has counted, with their `decay` in a second. `open EXCHANGE MARKET N` adds N open orders. `POST /control`
with `stream NAME` chooses the behaviour of the next stream: see exchange_stream.py."""

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

import exchange_stream

BINANCE_KEY, BINANCE_SECRET, BINANCE_PUBLIC, KRAKEN_KEY, KRAKEN_SECRET = sys.argv[1:6]
LOCK = threading.Lock()
ORDERS, LATE, TROUBLES, STREAMS = {}, {}, [], []
USUAL = {"account": "354937868", "withdraw": "0", "list": "1", "known": "1", "window": "0", "ban": "0", "calls": "0", "decay": "0.33"}
KEYS = {BINANCE_KEY: dict(USUAL), KRAKEN_KEY: dict(USUAL)}
NONCE = [0]
ARRIVED = threading.Event()
# The limit of Kraken's counter of calls for the smallest account.
MOST_CALLS = 15

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


def binance_order(market, number, terms, id):
    side, kind, amount, price = terms
    return {
        "symbol": market, "orderId": 28 + number, "clientOrderId": id or f"web_{market}{number}", "side": side.upper(),
        "origQty": amount, "executedQty": "0.00000000", "status": "NEW", "type": kind.upper(), "price": price,
        "time": milliseconds(),
    }  # fmt: skip


def kraken_order(market, number, terms, id):
    side, kind, amount, price = terms
    return {
        "status": "open", "cl_ord_id": id, "vol": amount, "vol_exec": "0", "opentm": time.time(),
        "txid": f"OAAAAA-BBBBB-CCCCC{number}",
        "descr": {"type": side, "pair": market, "ordertype": kind, "price": price},
    }  # fmt: skip


def counts(key):
    """Counts a call of a key of Kraken; returns False if there are too many."""
    now = time.monotonic()
    calls = max(0, float(key["calls"]) - float(key["decay"]) * (now - key.get("counted", now))) + 1
    key.update(calls=calls, counted=now)
    return calls <= MOST_CALLS


class Exchange(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, headers=()):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = True

    def refuse(self, code, text="refused"):
        self.answer({"code": code, "msg": text}, 400)

    def do_GET(self):
        if self.headers.get("Upgrade") == "websocket":
            return self.stream()
        self.handle_request(b"")

    def do_DELETE(self):
        self.handle_request(b"")

    def stream(self):
        with LOCK:
            stream = exchange_stream.Stream(self, STREAMS.pop(0) if STREAMS else "")
        try:
            if self.path == "/ws":
                exchange_stream.binance_market(stream)
            elif self.path == "/ws-api/v3":
                exchange_stream.binance_orders(stream, BINANCE_KEY, BINANCE_SECRET, lambda: dict(ORDERS))
            else:
                exchange_stream.kraken(stream, lambda: dict(ORDERS))
        except OSError:
            pass

    def do_POST(self):
        self.handle_request(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def handle_request(self, body):
        path, _, query = self.path.partition("?")
        if path == "/control":
            words = body.decode().split()
            if words == ["await"]:
                ARRIVED.wait(60)
                words = []
            with LOCK:
                if words[:1] == ["set"]:
                    KEYS.setdefault(words[1], dict(USUAL)).update(word.split("=", 1) for word in words[2:])
                elif words[:1] == ["fill"]:
                    order = ORDERS[words[1]]
                    order["vol_exec" if "vol" in order else "executedQty"] = words[2]
                elif words[:1] == ["open"]:
                    for number in range(int(words[3])):
                        ORDERS[f"{words[2]}-{number}"] = (binance_order if words[1] == "binance" else kraken_order)(
                            words[2], number, ("buy", "limit", "1", "30000"), None
                        )
                elif words[:1] == ["stream"]:
                    STREAMS.append(words[1])
                elif words:
                    TROUBLES.append(words[0])
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
                (LATE if trouble == "late" else ORDERS)[key] = value
        if trouble == "late":
            ARRIVED.set()
            threading.Event().wait(600)
            return False
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
        key = KEYS.get(self.headers.get("X-MBX-APIKEY"))
        if not key or key["known"] != "1":
            return self.refuse(-2015)
        if key["ban"] != "0":
            return self.answer({"code": -1003, "msg": "banned"}, 418, [("Retry-After", key["ban"])])
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
        if path == "/api/v3/account":
            balances = [("BTC", "0.50000000", "0.10000000"), ("ETH", "2.00000000", "0.00000000")]
            return self.answer(
                {
                    "uid": int(key["account"]),
                    "balances": [{"asset": name, "free": free, "locked": locked} for name, free, locked in balances],
                }
            )
        if path == "/sapi/v1/account/apiRestrictions":
            return self.answer(
                {
                    "ipRestrict": key["list"] == "1", "createTime": 1698645219000, "enableReading": True,
                    "enableWithdrawals": key["withdraw"] == "1", "enableInternalTransfer": False, "enableMargin": False,
                    "enableFutures": False, "permitsUniversalTransfer": False, "enableVanillaOptions": False,
                    "enableFixApiTrade": False, "enableFixReadOnly": False, "enableSpotAndMarginTrading": True,
                    "enablePortfolioMarginTrading": False,
                }
            )  # fmt: skip
        if path == "/api/v3/openOrders":
            with LOCK:
                orders = [order for order in ORDERS.values() if order.get("status") in ("NEW", "PARTIALLY_FILLED")]
            return self.answer([order for order in orders if form.get("symbol") in (None, order["symbol"])])
        if self.command in ("GET", "DELETE"):
            with LOCK:
                order = ORDERS.get(form.get("origClientOrderId"))
                for known in ORDERS.values():
                    if str(known.get("orderId")) == form.get("orderId") and known["symbol"] == form["symbol"]:
                        order = known
                if order and self.command == "DELETE":
                    if order["status"] != "NEW":
                        return self.refuse(-2011)
                    order["status"] = "CANCELED"
            return self.answer(order) if order else self.refuse(-2013)
        if path.endswith("/test"):
            if form["symbol"] != "BTCUSDT":
                return self.refuse(-1121)
            return self.answer({})
        if "computeCommissionRates" in form:
            return self.refuse(-1104)
        terms = form["side"], form["type"], form["quantity"], form.get("price", "0.00000000")
        order = binance_order(form["symbol"], len(ORDERS), terms, form["newClientOrderId"])
        if self.take(form["newClientOrderId"], order):
            self.answer(order)

    def kraken(self, path, body):
        def refuse(text):
            self.answer({"error": [text]})

        key = KEYS.get(self.headers.get("API-Key"))
        if not key or key["known"] != "1":
            return refuse("EAPI:Invalid key")
        if key["ban"] != "0":
            return self.answer({"error": []}, 429, [("Retry-After", key["ban"])])
        form = dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=True))
        digest = hashlib.sha256(form["nonce"].encode() + body).digest()
        expected = hmac.new(base64.b64decode(KRAKEN_SECRET), path.encode() + digest, hashlib.sha512).digest()
        if not hmac.compare_digest(base64.b64encode(expected).decode(), self.headers.get("API-Sign", "")):
            return refuse("EAPI:Invalid signature")
        with LOCK:
            if int(form["nonce"]) <= NONCE[0]:
                return refuse("EAPI:Invalid nonce")
            NONCE[0] = int(form["nonce"])
            if not path.endswith(("/AddOrder", "/CancelOrder")) and not counts(key):
                return refuse("EAPI:Rate limit exceeded")
        if path.endswith("/GetWebSocketsToken"):
            token = base64.b64encode(hashlib.sha256(form["nonce"].encode()).digest()).decode()
            exchange_stream.TOKENS.add(token)
            return self.answer({"error": [], "result": {"token": token, "expires": 900}})
        if path.endswith("/Balance"):
            return self.answer({"error": [], "result": {"XXBT": "0.5000000000", "ZEUR": "100.0000", "XETH": "0.0000000000"}})
        if path.endswith("/GetApiKeyInfo"):
            result = {
                "permissions": ["query-funds", "modify-trades"] + ["withdraw-funds"] * (key["withdraw"] == "1"),
                "ipAllowlist": ["192.0.2.1"] if key["list"] == "1" else [], "nonceWindow": key["window"], "validUntil": "0",
                "createdTime": "1698645219", "lastUsed": "1700000000",
            }  # fmt: skip
            if key["account"]:
                result["iban"] = key["account"]
            return self.answer({"error": [], "result": result})
        if path.endswith("/CancelOrder") or path.endswith("/QueryOrders"):
            ids = form["txid"].split(",")
            with LOCK:
                orders = {order["txid"]: order for order in ORDERS.values() if order.get("txid") in ids}
                if path.endswith("/QueryOrders"):
                    if len(ids) > 50:
                        return refuse("EGeneral:Invalid arguments")
                    return self.answer({"error": [], "result": orders}) if orders else refuse("EOrder:Unknown order")
                if not orders or orders[form["txid"]]["status"] != "open":
                    return refuse("EOrder:Unknown order")
                orders[form["txid"]]["status"] = "canceled"
                return self.answer({"error": [], "result": {"count": 1}})
        if path.endswith("Orders"):
            kind = "open" if path.endswith("OpenOrders") else "closed"
            with LOCK:
                orders = {
                    order["txid"]: order
                    for id, order in ORDERS.items()
                    if form.get("cl_ord_id") in (None, id) and (order["status"] == "open") == (kind == "open")
                }
                if form.get("cl_ord_id") in LATE:
                    ORDERS[form["cl_ord_id"]] = LATE.pop(form["cl_ord_id"])
            return self.answer({"error": [], "result": {kind: orders}})
        if form.get("validate") == "true":
            return self.answer({"error": [], "result": {"descr": {}}})
        deadline = datetime.datetime.strptime(form["deadline"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
        if not 2 <= deadline.timestamp() - time.time() <= 60:
            return refuse("EGeneral:Invalid arguments:deadline")
        terms = form["type"], form["ordertype"], form["volume"], form.get("price", "0")
        order = kraken_order(form["pair"], len(ORDERS), terms, form["cl_ord_id"])
        if self.take(form["cl_ord_id"], order):
            self.answer({"error": [], "result": {"txid": [order["txid"]], "descr": {}}})


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Exchange)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"ready {server.server_port}", flush=True)
sys.stdin.read()
