"""A server that records what it reads and answers with fixed bytes, on one free port of 127.0.0.1, until standard input ends.

    recording_server.py DIR [--chain FILE --key FILE] [--tls 1.2] [--answer FILE] [--then keep|close|cut]

It prints "ready PORT". With a chain it speaks TLS, at most 1.3 or what --tls says. DIR/application has every byte that it read, decrypted;
DIR/connections has a line for each connection: "open", or "refused" if the TLS handshake failed. The answer is sent for each request;
after it the connection is kept, closed, or cut without TLS's announcement.
"""

import argparse
import socket
import ssl
import sys
import threading

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--chain")
parser.add_argument("--key")
parser.add_argument("--tls")
parser.add_argument("--answer")
parser.add_argument("--then", default="keep")
options = parser.parse_args()

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
if options.answer:
    with open(options.answer, "rb") as file:
        ANSWER = file.read()
lock = threading.Lock()


def record(name, data):
    with lock, open(f"{options.folder}/{name}", "ab") as file:
        file.write(data)


context = None
if options.chain:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.chain, options.key)
    if options.tls == "1.2":
        context.maximum_version = ssl.TLSVersion.TLSv1_2


def requests(connection):
    """Yields once for each whole request."""
    data = b""
    while True:
        end = data.find(b"\r\n\r\n")
        if end >= 0:
            length = 0
            for line in data[:end].split(b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if len(data) >= end + 4 + length:
                data = data[end + 4 + length :]
                yield
                continue
        try:
            more = connection.recv(65536)
        except OSError:
            return
        if not more:
            return
        record("application", more)
        data += more


def serve(raw):
    connection = raw
    try:
        if context:
            try:
                connection = context.wrap_socket(raw, server_side=True)
            except OSError:
                record("connections", b"refused\n")
                return
        record("connections", b"open\n")
        for _ in requests(connection):
            connection.sendall(ANSWER)
            if options.then == "cut":
                # Without a message of TLS.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
                return
            if options.then == "close":
                if context:
                    connection.unwrap()
                return
    except OSError:
        pass
    finally:
        connection.close()


listener = socket.create_server(("127.0.0.1", 0))
for name in ("application", "connections"):
    record(name, b"")
print("ready", listener.getsockname()[1], flush=True)


def accept():
    while True:
        raw, _ = listener.accept()
        threading.Thread(target=serve, args=(raw,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
