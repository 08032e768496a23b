"""A server that answers too early, on one free port of 127.0.0.1, until standard input ends.

    early_server.py ANSWER --target PORT
    early_server.py ANSWER --after COUNT

It prints "ready PORT". With a target it sends ANSWER's bytes to each connection at once, and then connects it to that port of 127.0.0.1:
an attacker on the way before TLS begins. Otherwise it reads COUNT bytes, sends ANSWER's, and reads nothing more.
"""

import argparse
import socket
import sys
import threading

parser = argparse.ArgumentParser()
parser.add_argument("answer")
parser.add_argument("--target", type=int)
parser.add_argument("--after", type=int, default=0)
options = parser.parse_args()

with open(options.answer, "rb") as file:
    ANSWER = file.read()
kept = []


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
        if options.target:
            connection.sendall(ANSWER)
            server = socket.create_connection(("127.0.0.1", options.target))
            threading.Thread(target=copy, args=(server, connection), daemon=True).start()
            copy(connection, server)
        else:
            connection.recv(options.after, socket.MSG_WAITALL)
            connection.sendall(ANSWER)
            kept.append(connection)
    except OSError:
        pass


listener = socket.create_server(("127.0.0.1", 0))
print("ready", listener.getsockname()[1], flush=True)


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
