"""A server that ends TLS and relays what it decrypts to another port of 127.0.0.1, until standard input ends.

    tls_relay.py DIR CHAIN KEY TARGET

It prints "ready PORT". DIR/application has every decrypted byte that clients sent.
"""

import socket
import ssl
import sys
import threading

folder, chain, key, target = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(chain, key)
lock = threading.Lock()


def copy(source, sink, record):
    try:
        while data := source.recv(65536):
            if record:
                with lock, open(f"{folder}/application", "ab") as file:
                    file.write(data)
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(plain):
    try:
        client = context.wrap_socket(plain, server_side=True)
        server = socket.create_connection(("127.0.0.1", int(target)))
    except OSError:
        plain.close()
        return
    threading.Thread(target=copy, args=(server, client, False), daemon=True).start()
    copy(client, server, True)


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


open(f"{folder}/application", "w").close()
listener = socket.create_server(("127.0.0.1", 0))
print("ready", listener.getsockname()[1], flush=True)
threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
