"""A WebSocket server (RFC 6455) that does what its clients tell it, on one free port of 127.0.0.1, until standard input ends.

    websocket_server.py DIR [--chain FILE --key FILE] [--tick MILLISECONDS]

It prints "ready PORT". With a chain it speaks TLS. DIR/application has every byte that it read, decrypted; DIR/connections has a line
for each connection: "open", or "refused" if the TLS handshake failed; DIR/ended has a line for each that ended, which was open;
DIR/frames has a line of JSON for each frame that it read.

The query of the target changes the answer to the upgrade: status=503&retry=3 (with first=2 only for the first two), accept=wrong,
upgrade=no, connection=no, extension=NAME, protocol=NAME, interim=1, garbage=1, hang=1, and rest=HEX for bytes after the answer.

A text of a client is a command: "echo TEXT"; "raw HEX" sends bytes as they are; "ping TEXT"; "close CODE", "close" and "closing CODE"
(which reads nothing afterwards); "end" ends TLS without a close frame; "cut" ends without TLS's announcement; "mute" reads and
sends nothing more; "nopong" answers no pings; "subscribe" answers "subscribed" and sends the ticks: numbers that count up, the same
to all subscribers; "forget" ends that; "flood COUNT SIZE"; "leave CODE" closes when the client pings next. Binary messages come back.
"""

import argparse
import base64
import hashlib
import json
import select
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--chain")
parser.add_argument("--key")
parser.add_argument("--tick", type=int)
options = parser.parse_args()
lock = threading.Lock()
subscribers = set()
attempts = 0


def record(name, data):
    with lock, open(f"{options.folder}/{name}", "ab") as file:
        file.write(data)


context = None
if options.chain:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.chain, options.key)

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Connection:
    def __init__(self, sock, number):
        self.sock = sock
        self.number = number
        self.data = b""
        self.sending = threading.Lock()
        self.pongs = True
        self.leaving = None

    def exactly(self, count):
        while len(self.data) < count:
            # An SSL socket is not for two threads at once: the ticks are sent by another.
            if not (context and self.sock.pending()):
                select.select([self.sock], [], [])
            with self.sending:
                more = self.sock.recv(65536)
            if not more:
                raise OSError("closed")
            record("application", more)
            self.data += more
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def write(self, data):
        with self.sending:
            self.sock.sendall(data)

    def send(self, opcode, payload):
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x80 | opcode, 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 127, size)
        self.write(head + payload)

    def frame(self):
        first, second = self.exactly(2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack("!H", self.exactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self.exactly(8))
        masked = bool(second & 0x80)
        mask = self.exactly(4) if masked else bytes(4)
        payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(self.exactly(size)))
        line = {"connection": self.number, "opcode": first & 0x0F, "masked": masked, "final": first >> 4 == 8, "mask": mask.hex()}
        line["payload"] = payload[:200].hex()
        record("frames", json.dumps(line).encode() + b"\n")
        return first & 0x0F, payload

    def upgrade(self):
        """Returns whether the protocol has changed."""
        global attempts
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.exactly(1)
        lines = head.decode().split("\r\n")
        target = lines[0].split(" ")[1]
        want = {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlsplit(target).query).items()}
        headers = {line.split(":")[0].lower(): line.split(":", 1)[1].strip() for line in lines[1:] if ":" in line}
        with lock:
            attempts += 1
            attempt = attempts
        if "hang" in want:
            self.exactly(1)
        if "garbage" in want:
            self.write(b"SSH-2.0-server\r\n")
            return False
        if "status" in want and attempt <= int(want.get("first", 1 << 30)):
            retry = f"Retry-After: {want['retry']}\r\n" if "retry" in want else ""
            self.write(f"HTTP/1.1 {want['status']} No\r\n{retry}Content-Length: 0\r\n\r\n".encode())
            return False
        key = headers["sec-websocket-key"]
        assert headers["upgrade"] == "websocket" and headers["sec-websocket-version"] == "13" and len(base64.b64decode(key)) == 16
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        accept = base64.b64encode(digest if "accept" not in want else bytes(20)).decode()
        answer = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" if "interim" in want else ""
        answer += "HTTP/1.1 101 Switching Protocols\r\n"
        answer += "" if "upgrade" in want else "Upgrade: WebSocket\r\n"
        answer += "" if "connection" in want else "Connection: keep-alive, Upgrade\r\n"
        answer += f"Sec-WebSocket-Accept: {accept}\r\n"
        answer += f"Sec-WebSocket-Extensions: {want['extension']}\r\n" if "extension" in want else ""
        answer += f"Sec-WebSocket-Protocol: {want['protocol']}\r\n" if "protocol" in want else ""
        self.write(answer.encode() + b"\r\n" + bytes.fromhex(want.get("rest", "")))
        return True

    def serve(self):
        if not self.upgrade():
            return
        while True:
            opcode, payload = self.frame()
            if opcode == BINARY:
                self.send(BINARY, payload)
            elif opcode == PING and self.leaving:
                self.send(CLOSE, struct.pack("!H", self.leaving))
                self.leaving = None
            elif opcode == PING and self.pongs:
                self.send(PONG, payload)
            elif opcode == PONG:
                self.send(TEXT, b"pong " + payload)
            elif opcode == CLOSE:
                self.send(CLOSE, payload)
                return
            elif opcode == TEXT and not self.obey(*(payload.decode().split(" ", 1) + [""])[:2]):
                return

    def obey(self, command, rest):
        """Returns whether the connection goes on."""
        if command == "echo":
            self.send(TEXT, rest.encode())
        elif command == "raw":
            self.write(bytes.fromhex(rest))
        elif command == "ping":
            self.send(PING, rest.encode())
        elif command == "close":
            self.send(CLOSE, struct.pack("!H", int(rest)) if rest else b"")
        elif command == "closing":
            self.send(CLOSE, struct.pack("!H", int(rest)))
            return False
        elif command == "end":
            return False
        elif command == "cut":
            # Without a message of TLS.
            socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
            return False
        elif command == "mute":
            threading.Event().wait()
        elif command == "nopong":
            self.pongs = False
        elif command == "leave":
            self.leaving = int(rest)
        elif command == "subscribe":
            with lock:
                subscribers.add(self)
            self.send(TEXT, b"subscribed")
        elif command == "forget":
            with lock:
                subscribers.discard(self)
        elif command == "flood":
            count, size = map(int, rest.split())
            for index in range(count):
                self.send(TEXT, str(index).encode().ljust(size, b"."))
        return True


def serve(raw, number):
    sock = raw
    connection = None
    try:
        if context:
            try:
                sock = context.wrap_socket(raw, server_side=True)
            except OSError:
                record("connections", b"refused\n")
                return
        record("connections", b"open\n")
        connection = Connection(sock, number)
        connection.serve()
        with lock:
            subscribers.discard(connection)
        if context:
            sock.settimeout(5)
            sock.unwrap()
    except OSError:
        pass
    finally:
        with lock:
            subscribers.discard(connection)
        sock.close()
    record("ended", b"%d\n" % number)


def tick():
    number = 0
    while True:
        time.sleep(options.tick / 1000)
        number += 1
        with lock:
            present = list(subscribers)
        for subscriber in present:
            try:
                subscriber.send(TEXT, b"%d" % number)
            except OSError:
                pass


listener = socket.create_server(("127.0.0.1", 0))
for name in ("application", "connections", "frames", "ended"):
    record(name, b"")
print("ready", listener.getsockname()[1], flush=True)


def accept():
    number = 0
    while True:
        raw, _ = listener.accept()
        number += 1
        threading.Thread(target=serve, args=(raw, number), daemon=True).start()


if options.tick:
    threading.Thread(target=tick, daemon=True).start()
threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
