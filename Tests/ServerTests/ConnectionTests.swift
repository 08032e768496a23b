internal import TestSupport
internal import Testing

@testable internal import AuthServer

// The server is in this process, for a time limit that is not a setting.
extension ServerTests {
    @Suite("Connections")
    struct Connections {
        @Test("a request that is not complete in time is given up, even if bytes keep coming; one in time is answered")
        func dripping() async throws {
            let outcome = try await Self.run(Self.dripping)
            #expect(
                outcome.output == "head given up\nlength given up\nchunked given up\nquick all of it, three times\n",
                "\(outcome.errors)")
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

        /// Runs a Python script with the port of a server whose requests have to arrive in two seconds.
        private static func run(_ script: String) async throws -> Companion {
            var limits = ConnectionLimits()
            limits.requestMilliseconds = 2_000
            return try await GuardedServer.with(limits) { try await $0.run(script) }
        }

        /// Sends a request byte by byte until it is given up; and a request that arrives at once, three times on one
        /// connection, with pauses that are together longer than a request may take.
        private static let dripping = """
            import select, socket, sys, time
            def connect():
                return socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=600)
            def drip(head, byte):
                with connect() as connection:
                    connection.sendall(head)
                    try:
                        while not select.select([connection], [], [], 0.1)[0]:
                            connection.sendall(byte)
                        return "given up" if connection.recv(1000) == b"" else "answered"
                    except (BrokenPipeError, ConnectionResetError):
                        return "given up"
            head = b"POST / HTTP/1.1\\r\\nHost: localhost\\r\\n"
            print("head", drip(head + b"X-Long: ", b"x"))
            print("length", drip(head + b"Content-Length: 1000000\\r\\n\\r\\n", b"x"))
            print("chunked", drip(head + b"Transfer-Encoding: chunked\\r\\n\\r\\n", b"1\\r\\nx\\r\\n"))
            with connect() as connection:
                for _ in range(3):
                    connection.sendall(head + b"Content-Length: 1\\r\\n\\r\\nx")
                    answer = b""
                    while not answer.endswith(b"all of it"):
                        part = connection.recv(1000)
                        if not part: sys.exit("closed")
                        answer += part
                    time.sleep(0.8)
            print("quick all of it, three times")
            """

        /// Sends two requests in a row, the first with these fields, and returns the answers.
        private static let asking = """
            import re, socket, sys
            def ask(method, fields):
                with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=600) as connection:
                    first = f"{method} HTTP/1.1\\r\\nHost: localhost\\r\\n{fields}\\r\\n"
                    connection.sendall(f"{first}GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n".encode())
                    answer, end = b"", "ended"
                    try:
                        while part := connection.recv(1000):
                            answer += part
                            # Both are answered: an end would come at once.
                            if answer.count(b"HTTP/1.1 ") == 2: connection.settimeout(1)
                    except TimeoutError:
                        end = "open"
                    except ConnectionResetError:
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
