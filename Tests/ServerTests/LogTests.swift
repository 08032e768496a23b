internal import ServerHTTP
internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("The server's log")
    struct Log {
        @Test(
            "is not worth an answer: with a reader that stalls, one that is gone, or a full disk, it answers all, and ends when told to",
            arguments: ["stalled", "gone", "full"])
        func unwritable(_ kind: String) async throws {
            let folder = try TemporaryFolder()
            let program = try Companion(
                Python.system,
                [
                    "-c", Self.script, kind, "\(FuekiCommand.binaries)/fuekid", "\(folder.path)/home",
                    "\(try FreePort.any())",
                ],
                environment: ["FUEKID_LOG_LEVEL": "info"])
            #expect(try await program.end() == 0, "\(program.errors)")
            #expect(program.output == "8000 answers, ended with 0\n", "\(program.output) \(program.errors)")
        }

        /// Starts the server with this standard error, sends many requests on one connection, and tells it to end.
        private static let script = """
            import os, signal, socket, subprocess, sys
            kind, program, home, port = sys.argv[1:]
            if kind == "full":
                errors = os.open("/dev/full", os.O_WRONLY)
            else:
                reading, errors = os.pipe()
            environment = dict(os.environ, FUEKID_LISTEN=f"127.0.0.1:{port}")
            server = subprocess.Popen(
                [program, "--role", "auth", "--home", home], env=environment, stdout=subprocess.PIPE, stderr=errors)
            try:
                assert b"ready" in server.stdout.readline()
                if kind == "gone": os.close(reading)
                with socket.create_connection(("127.0.0.1", int(port)), timeout=600) as connection:
                    answers = 0
                    for _ in range(8000):
                        connection.sendall(b"GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
                        answer = b""
                        while not answer.endswith(b"ok\\n"):
                            part = connection.recv(4096)
                            if not part: sys.exit(f"closed after {answers} answers")
                            answer += part
                        answers += 1
                server.send_signal(signal.SIGTERM)
                print(f"{answers} answers, ended with {server.wait(timeout=600)}")
            finally:
                server.kill()
            """
    }
}
