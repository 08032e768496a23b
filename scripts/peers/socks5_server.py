"""A SOCKS5 proxy (RFC 1928, RFC 1929) that connects every name to one port of 127.0.0.1, until standard input ends.

    socks5_server.py DIR TARGET [--reply CODE]

It prints "ready PORT". It demands a user name and password if the client offers them. DIR/requests has a line of JSON for each request:
type of the address, host, port, user, password.
"""

import argparse
import json
import socket
import sys
import threading

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("target", type=int)
parser.add_argument("--reply", type=int, default=0)
options = parser.parse_args()
lock = threading.Lock()


def exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise OSError("closed")
        data += more
    return data


def copy(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(connection):
    try:
        version, count = exactly(connection, 2)
        assert version == 5
        methods = exactly(connection, count)
        user = password = None
        if 2 in methods:
            connection.sendall(b"\x05\x02")
            assert exactly(connection, 1) == b"\x01"
            user = exactly(connection, exactly(connection, 1)[0]).decode()
            password = exactly(connection, exactly(connection, 1)[0]).decode()
            connection.sendall(b"\x01\x01" if password == "wrong" else b"\x01\x00")
            if password == "wrong":
                return
        else:
            connection.sendall(b"\x05\x00")
        _, command, _, kind = exactly(connection, 4)
        assert command == 1
        if kind == 1:
            host = socket.inet_ntop(socket.AF_INET, exactly(connection, 4))
        elif kind == 4:
            host = socket.inet_ntop(socket.AF_INET6, exactly(connection, 16))
        else:
            host = exactly(connection, exactly(connection, 1)[0]).decode()
        port = int.from_bytes(exactly(connection, 2), "big")
        with lock, open(f"{options.folder}/requests", "a") as file:
            line = {"kind": kind, "host": host, "port": port, "user": user, "password": password}
            file.write(json.dumps(line) + "\n")
        connection.sendall(bytes([5, options.reply, 0, 1, 127, 0, 0, 1, 0, 0]))
        if options.reply:
            return
        server = socket.create_connection(("127.0.0.1", options.target))
        threading.Thread(target=copy, args=(connection, server), daemon=True).start()
        copy(server, connection)
    except (OSError, AssertionError):
        pass
    finally:
        connection.close()


listener = socket.create_server(("127.0.0.1", 0))
open(f"{options.folder}/requests", "w").close()
print("ready", listener.getsockname()[1], flush=True)


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
