internal import ServerHTTP
internal import TestSupport
internal import Testing

@testable internal import AuthServer

// The server is in this process, for a time limit that is not a setting.
extension ServerTests {
    @Suite("Connections")
    struct Connections {
        // How long it may take, and that a quick one is answered after any pause, `RequestFlowTests` check in virtual time.
        @Test("a request that is not complete in time is given up, even if bytes keep coming")
        func dripping() async throws {
            var limits = ConnectionLimits()
            (limits.firstHeadMilliseconds, limits.requestMilliseconds) = (600_000, 300)
            try await GuardedServer.with(limits) { server in
                let outcome = try await server.run(Self.dripping)
                #expect(
                    outcome.output == "head given up\nlength given up\nchunked given up\n", "\(outcome.errors)")
                #expect(server.table.counts.ended[.request] == 3)
            }
        }

        @Test("requests one after another on one connection are answered")
        func quick() async throws {
            let outcome = try await Self.run(Self.quick)
            #expect(outcome.output == "all of it, three times\n", "\(outcome.errors)")
        }

        @Test("a request for another protocol or a tunnel is answered, and its connection closed")
        func upgrade() async throws {
            let outcome = try await Self.run(Self.upgrade)
            let closed = "200 close, 1 answer, ended"
            #expect(
                outcome.output == "websocket \(closed)\nh2c \(closed)\nnone 200 None, 2 answers, open\n",
                "\(outcome.errors)")
            #expect(try await Self.run(Self.tunnel).output == "404 close, 1 answer, ended\n")
        }

        /// Runs a Python script with the port of a server.
        private static func run(_ script: String) async throws -> Companion {
            try await GuardedServer.with { try await $0.run(script) }
        }

        /// Sends requests byte by byte until they are given up.
        private static let dripping = """
            def drip(head, byte):
                with connect() as connection:
                    connection.sendall(head)
                    try:
                        while not select.select([connection], [], [], 0.01)[0]:
                            connection.sendall(byte)
                        return "given up" if connection.recv(1000) == b"" else "answered"
                    except (BrokenPipeError, ConnectionResetError):
                        return "given up"
            head = b"POST / HTTP/1.1\\r\\nHost: localhost\\r\\n"
            print("head", drip(head + b"X-Long: ", b"x"))
            print("length", drip(head + b"Content-Length: 1000000\\r\\n\\r\\n", b"x"))
            print("chunked", drip(head + b"Transfer-Encoding: chunked\\r\\n\\r\\n", b"1\\r\\nx\\r\\n"))
            """

        /// Sends a request three times on one connection.
        private static let quick = """
            with connect() as connection:
                for _ in range(3):
                    connection.sendall(b"POST / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 1\\r\\n\\r\\nx")
                    answer = b""
                    while not answer.endswith(b"all of it"):
                        part = connection.recv(1000)
                        if not part: sys.exit("closed")
                        answer += part
            print("all of it, three times")
            """

        /// Sends two requests in a row, the first with these fields, and a third one when both are answered: a connection
        /// that answers it was open. Returns the answers to the first two.
        private static let asking = """
            def ask(method, fields):
                with connect() as connection:
                    first = f"{method} HTTP/1.1\\r\\nHost: localhost\\r\\n{fields}\\r\\n"
                    second = "GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"
                    connection.sendall(f"{first}{second}".encode())
                    answer, more, end = b"", b"", "ended"
                    try:
                        while part := connection.recv(1000):
                            answer += part
                            if answer.endswith(b"here") and answer.count(b"HTTP/1.1 ") == 2:
                                connection.sendall(second.encode())
                                while not more.endswith(b"here") and (part := connection.recv(1000)): more += part
                                if more.startswith(b"HTTP/1.1 200 "): end = "open"
                                break
                    except (BrokenPipeError, ConnectionResetError):
                        pass
                codes = re.findall(rb"HTTP/1.1 (\\d+)", answer)
                close = re.search(rb"(?i)\\r\\nconnection: (\\w+)", answer)
                answers = f"{len(codes)} answer" + "s" * (len(codes) != 1)
                return f"{codes[0].decode()} {close and close[1].decode()}, {answers}, {end}"

            """
        private static let upgrade =
            asking + """
                print("websocket", ask("GET /", "Connection: Upgrade\\r\\nUpgrade: websocket\\r\\n"))
                print("h2c", ask("GET /", "Connection: Upgrade, HTTP2-Settings\\r\\nUpgrade: h2c\\r\\nHTTP2-Settings: AAMA\\r\\n"))
                print("none", ask("GET /", ""))
                """
        private static let tunnel = asking + #"print(ask("CONNECT localhost:80", ""))"#
    }
}
