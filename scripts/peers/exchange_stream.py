"""The WebSocket streams (RFC 6455) of the two exchanges in exchange.py: prices, and the orders of an account. It uses Python's standard
library only.

Each connection first takes a behaviour from a list, which `POST /control` with `stream NAME` fills: `cut` ends the connection after the
first events; `hostile` sends messages without the documented form, and texts that would rewrite a terminal; `flood` sends prices without
a pause; `silent` confirms the subscription and sends nothing more; `lost` leaves out a number of Kraken's messages; `ended` tells that
Binance's subscription has ended; `refuse` refuses the subscription. Without one it sends its events once."""

import base64
import hashlib
import hmac
import json
import struct
import time
import urllib.parse

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
TOKENS = set()


class Stream:
    def __init__(self, handler, behaviour):
        self.handler, self.behaviour = handler, behaviour
        self.reader, self.writer = handler.rfile, handler.wfile

    def send(self, opcode, payload):
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, size)
        else:
            head = struct.pack("!BBH", 0x80 | opcode, 126, size)
        self.writer.write(head + payload)
        self.writer.flush()

    def say(self, message):
        self.send(TEXT, message if isinstance(message, bytes) else json.dumps(message).encode())

    def frame(self):
        """Returns the opcode and the payload; None at the end of the connection."""
        head = self.reader.read(2)
        if len(head) < 2:
            return None
        size = head[1] & 0x7F
        if size == 126:
            (size,) = struct.unpack("!H", self.reader.read(2))
        mask = self.reader.read(4)
        payload = self.reader.read(size)
        return head[0] & 0x0F, bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))

    def upgrade(self):
        key = self.handler.headers["Sec-WebSocket-Key"]
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        self.writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
            + base64.b64encode(digest) + b"\r\n\r\n"
        )  # fmt: skip

    def serve(self, answer):
        """Answers each message of the client with `answer`, until it closes the connection."""
        self.upgrade()
        self.handler.close_connection = True
        while True:
            frame = self.frame()
            if frame is None:
                return
            opcode, payload = frame
            if opcode == PING:
                self.send(PONG, payload)
            elif opcode == CLOSE:
                return self.send(CLOSE, payload)
            elif opcode == TEXT and not answer(json.loads(payload)):
                return

    def trouble(self, quote):
        """Behaves as it should after the first events. Returns whether the connection goes on."""
        if self.behaviour == "hostile":
            self.say(b"\x1b]0;owned\x07")
            self.say({"channel": "ticker", "e": "trade", "data": [{"symbol": "\x1b[2J\u202eUSD"}], "s": "\x1b[2J"})
            self.say([[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]])
        while self.behaviour == "flood":
            self.say(quote)
        return self.behaviour != "cut"


def binance_market(stream):
    def answer(request):
        if stream.behaviour == "refuse":
            stream.say({"error": {"code": 2, "msg": "Invalid request"}, "id": request["id"]})
            return True
        stream.say({"result": None, "id": request["id"]})
        for name in request["params"]:
            symbol, kind = name.split("@")
            quote = {"u": 1, "s": symbol.upper(), "b": "30000.10000000", "B": "1.50000000", "a": "30000.20000000", "A": "2.00000000"}
            if stream.behaviour == "silent":
                continue
            if kind == "bookTicker":
                stream.say(quote)
            else:
                stream.say(
                    {
                        "e": "trade", "E": 1700000000000, "s": symbol.upper(), "t": 1, "p": "30000.10000000", "q": "0.00100000",
                        "T": 1700000000000, "m": True, "M": True,
                    }
                )  # fmt: skip
        return stream.trouble(quote)

    stream.serve(answer)


def binance_orders(stream, key, secret, orders):
    def answer(request):
        params = request["params"]
        signature = params.pop("signature")
        payload = "&".join(f"{name}={value}" for name, value in sorted(params.items()))
        expected = hmac.new(secret.encode(), payload.encode(), hashlib.sha256).hexdigest()
        if params["apiKey"] != key or not hmac.compare_digest(expected, signature):
            stream.say({"id": request["id"], "status": 400, "error": {"code": -1022, "msg": "Signature for this request is not valid."}})
            return True
        stream.say({"id": request["id"], "status": 200, "result": {"subscriptionId": 0}})
        for name, order in list(orders().items()) or [("web_1", {"symbol": "BTCUSDT", "side": "BUY", "origQty": "0.01"})]:
            event = {
                "e": "executionReport", "E": 1700000000000, "s": order["symbol"], "c": name, "S": order["side"], "o": "LIMIT",
                "f": "GTC", "q": order["origQty"], "p": "37500.50000000", "C": "", "x": "TRADE", "X": "PARTIALLY_FILLED",
                "r": "NONE", "i": 28, "l": "0.00500000", "z": "0.00500000", "L": "37500.00000000", "T": 1700000000000, "t": 7,
            }  # fmt: skip
            stream.say({"subscriptionId": 0, "event": event})
        if stream.behaviour == "ended":
            stream.say({"subscriptionId": 0, "event": {"e": "eventStreamTerminated", "E": 1700000000000}})
        return stream.trouble({"subscriptionId": 0, "event": {"e": "balanceUpdate"}})

    stream.serve(answer)


def kraken(stream, orders):
    sent = set()

    def answer(request):
        params = request["params"]
        if params["channel"] == "executions":
            return executions(params)
        quote = {}
        for symbol in params["symbol"]:
            if stream.behaviour == "refuse":
                text = f"Currency pair not supported {symbol}"
                stream.say({"error": text, "method": "subscribe", "success": False, "symbol": symbol})
                continue
            result = {"channel": params["channel"], "symbol": symbol}
            stream.say({"method": "subscribe", "result": result, "success": True, "time_in": "2023-09-25T09:04:31.742599Z"})
            if stream.behaviour == "silent":
                continue
            if params["channel"] == "ticker":
                data = {"symbol": symbol, "bid": 30000.1, "bid_qty": 1.5, "ask": 30000.2, "ask_qty": 1e-05, "last": 30000.1}
                quote = {"channel": "ticker", "type": "snapshot", "data": [data]}
            else:
                data = {"symbol": symbol, "side": "sell", "price": 30000.1, "qty": 0.001, "ord_type": "market", "trade_id": 1}
                data["timestamp"] = "2023-09-25T07:49:37.708706Z"
            stream.say({"channel": params["channel"], "type": "snapshot", "data": [data]})
        if stream.behaviour == "silent":
            return True
        sent.add(params["channel"])
        # The two requests come one after the other: trouble begins after the second one.
        return stream.trouble(quote) if sent == {"ticker", "trade"} else True

    def executions(params):
        if params["token"] not in TOKENS:
            stream.say({"error": "ESession:Invalid session", "method": "subscribe", "success": False})
            return True
        # A token is used once here, so that a client that keeps one is found.
        TOKENS.discard(params["token"])
        stream.say({"method": "subscribe", "result": {"channel": "executions"}, "success": True})
        entries = [
            {
                "order_id": "OAAAAA-BBBBB-CCCCCC", "cl_ord_id": name, "symbol": "BTC/USD", "side": order["descr"]["type"],
                "order_qty": float(order["vol"]), "limit_price": 37500.5, "exec_type": "new", "order_status": "new", "cum_qty": 0,
                "timestamp": "2023-09-22T10:33:05.709950Z",
            }
            for name, order in orders().items()
        ]  # fmt: skip
        other = {"order_id": "OZZZZZ-BBBBB-CCCCCC", "symbol": "BTC/USD", "side": "sell", "order_qty": 0.01, "order_type": "market"}
        other |= {"exec_type": "new", "order_status": "new", "timestamp": "2023-09-22T10:33:05.709950Z"}
        stream.say({"channel": "executions", "type": "snapshot", "data": entries + [other], "sequence": 1})
        change = {"order_id": "OZZZZZ-BBBBB-CCCCCC", "exec_type": "canceled", "order_status": "canceled", "cum_qty": 0.004}
        change["timestamp"] = "2023-09-22T10:33:06Z"
        number = 3 if stream.behaviour == "lost" else 2
        stream.say({"channel": "executions", "type": "update", "data": [change], "sequence": number})
        return stream.trouble({"channel": "heartbeat"})

    stream.serve(answer)
