"""Answers every GET with {} over TLS, on one free port of 127.0.0.1, until standard input ends.

    https_server.py DIR NAME        prints "ready PORT"; DIR/certificate.pem is its certificate, for NAME, made by openssl
"""

import http.server
import ssl
import subprocess
import sys
import threading

folder, name = sys.argv[1:]
certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
     "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", certificate],
    check=True, stderr=subprocess.DEVNULL)  # fmt: skip


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
# The thread of each connection does the handshake.
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"ready {server.server_port}", flush=True)
sys.stdin.read()
