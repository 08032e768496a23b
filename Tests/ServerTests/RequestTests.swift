internal import ServerHTTP
internal import TestSupport
internal import Testing

@testable internal import AuthServer

extension ServerTests {
    /// The server is in this process.
    @Suite("Requests, byte by byte")
    struct Requests {
        /// Sends each text on a connection of its own, and returns the statuses of the answers and whether the server
        /// has closed it. If the server leaves it open, a request follows that makes it close.
        private static let sending = """
            def send(name, text, last=b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n"):
                with connect() as connection:
                    connection.sendall(text.replace("\\n", "\\r\\n").encode() + last)
                    print(f"{name}: {statuses(rest(connection))}")

            """

        private static func outcomes(_ script: String, _ limits: ConnectionLimits = ConnectionLimits()) async throws
            -> String
        {
            try await GuardedServer.with(limits) { server in
                let program = try await server.run(sending + script)
                return program.output + program.errors
            }
        }

        @Test("requests are answered on the event loop of their connection, and long computations are not")
        func executor() async throws {
            try await GuardedServer.with { server in
                let program = try await server.run(
                    """
                    connection = connect()
                    print(ask(connection, "/loop"), ask(connection, "/pool"))
                    """)
                #expect(program.output + program.errors == "true false, then true\n")
            }
        }

        @Test("requests name the host once, as the server's name or an address; HTTP/1.0 may omit it")
        func host() async throws {
            // A refusal is one answer, and bytes after it are ignored.
            let outcomes = try await Self.outcomes(
                #"""
                send("none", "GET / HTTP/1.1\n\n")
                send("empty", "GET / HTTP/1.1\nHost:\n\n")
                send("two", "GET / HTTP/1.1\nHost: localhost\nHost: localhost\n\n")
                send("list", "GET / HTTP/1.1\nHost: localhost, localhost\n\n")
                send("path", "GET / HTTP/1.1\nHost: localhost/\n\n")
                send("user", "GET / HTTP/1.1\nHost: a@localhost\n\n")
                send("port", "GET / HTTP/1.1\nHost: localhost:x\n\n")
                send("other", "GET / HTTP/1.1\nHost: evil.example\n\n")
                send("other with port", "GET / HTTP/1.1\nHost: evil.example:80\n\n")
                send("other, 1.0", "GET / HTTP/1.0\nHost: evil.example\n\n")
                for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "192.0.2.1:8420", "[::1]", "[2001:db8::1]:80"]:
                    send(host, f"GET / HTTP/1.1\nHost: {host}\n\n")
                """#)
            #expect(
                outcomes == """
                    none: 400
                    empty: 400
                    two: 400
                    list: 400
                    path: 400
                    user: 400
                    port: 400
                    other: 421
                    other with port: 421
                    other, 1.0: 421
                    localhost: 200 200
                    LOCALHOST:1: 200 200
                    127.0.0.1: 200 200
                    192.0.2.1:8420: 200 200
                    [::1]: 200 200
                    [2001:db8::1]:80: 200 200

                    """)
        }

        @Test("requests of HTTP/1.0, and those that ask for it, are answered, and the connection closed")
        func closing() async throws {
            let outcomes = try await Self.outcomes(
                #"""
                send("1.0", "GET / HTTP/1.0\n\n")
                send("1.0 that would keep it", "GET / HTTP/1.0\nConnection: keep-alive\n\n")
                send("close", "GET / HTTP/1.1\nHost: localhost\nConnection: close\n\n")
                send("Close, and more", "GET / HTTP/1.1\nHost: localhost\nConnection: x, Close\n\n")
                send("2.0", "GET / HTTP/2.0\nHost: localhost\n\n")
                with connect() as connection:
                    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2)
                    connection.shutdown(socket.SHUT_WR)
                    print("closed by the client:", statuses(rest(connection)))
                """#)
            #expect(
                outcomes == """
                    1.0: 200
                    1.0 that would keep it: 200
                    close: 200
                    Close, and more: 200
                    2.0: 400
                    closed by the client: 200 200

                    """)
        }

        @Test(
            "whose end is told in two ways, or in one that is not chunked alone, are refused, and the connection closed"
        )
        func framing() async throws {
            let outcomes = try await Self.outcomes(
                #"""
                def post(name, fields, body="1\nx\n0\n\n", version="1.1"):
                    send(name, f"POST / HTTP/{version}\nHost: localhost\n{fields}\n\n{body}")
                post("chunked", "Transfer-Encoding: chunked")
                post("Chunked", "Transfer-Encoding: Chunked")
                post("gzip, chunked", "Transfer-Encoding: gzip, chunked")
                post("two fields", "Transfer-Encoding: gzip\nTransfer-Encoding: chunked")
                post("twice", "Transfer-Encoding: chunked, chunked")
                post("gzip", "Transfer-Encoding: gzip")
                post("identity", "Transfer-Encoding: identity")
                post("chunked, gzip", "Transfer-Encoding: chunked, gzip")
                post("with length", "Transfer-Encoding: chunked\nContent-Length: 5")
                post("length before", "Content-Length: 5\nTransfer-Encoding: chunked")
                post("1.0", "Transfer-Encoding: chunked", version="1.0")
                post("two lengths", "Content-Length: 1\nContent-Length: 1", "x")
                post("list of lengths", "Content-Length: 1, 1", "x")
                post("signed length", "Content-Length: +1", "x")
                """#)
            let lines = outcomes.split(separator: "\n").map(String.init)
            #expect(
                lines.prefix(4) == ["chunked: 200 200", "Chunked: 200 200", "gzip, chunked: 501", "two fields: 501"])
            #expect(lines.count == 14, "\(outcomes)")
            // Whether the decoder or the server refuses it: with one answer.
            for line in lines.dropFirst(4) {
                let status = line.split(separator: ": ").last
                #expect(status == "400" || status == "501", "\(line)")
            }
        }

        @Test("requests that wait with the body are told to continue when it is needed, and not if they are refused")
        func continuing() async throws {
            let outcomes = try await Self.outcomes(
                #"""
                expect = "Host: localhost\nExpect: 100-continue\nContent-Length: 1\n"
                def waiting(name, head, body=b"x"):
                    with connect() as connection:
                        connection.sendall(head.replace("\n", "\r\n").encode())
                        first = connection.recv(1000)
                        if first.startswith(b"HTTP/1.1 100 Continue\r\n\r\n"): connection.sendall(body)
                        print(f"{name}: {statuses(first + rest(connection))}")
                waiting("wanted", f"POST / HTTP/1.1\n{expect}Connection: close\n\n")
                waiting("refused", f"POST /early HTTP/1.1\n{expect}\n")
                waiting("nowhere", f"POST /nowhere HTTP/1.1\n{expect}\n")
                waiting("wrong host", f"POST / HTTP/1.1\nExpect: 100-continue\nContent-Length: 1\n\n")
                send("did not wait", f"POST / HTTP/1.1\n{expect}\nx")
                send("no body", f"POST / HTTP/1.1\nHost: localhost\nExpect: 100-continue\nContent-Length: 0\n\n")
                send("1.0", f"POST / HTTP/1.0\n{expect}\nx")
                """#)
            #expect(
                outcomes == """
                    wanted: 100 200
                    refused: 200
                    nowhere: 404
                    wrong host: 400
                    did not wait: 200 200
                    no body: 200 200
                    1.0: 200

                    """)
        }

        @Test("requests get one answer each, even if malformed bytes follow")
        func oneAnswer() async throws {
            let outcomes = try await Self.outcomes(
                #"""
                chunked = "Host: localhost\nTransfer-Encoding: chunked\n\n1\nx\n"
                send("bad chunk", f"POST / HTTP/1.1\n{chunked}no chunk\n")
                send("bad chunk behind an answer", f"POST /early HTTP/1.1\n{chunked}no chunk\n")
                with connect() as connection:
                    connection.sendall(f"POST /early HTTP/1.1\n{chunked}".replace("\n", "\r\n").encode())
                    answer = connection.recv(1000)
                    connection.sendall(b"no chunk\r\n")
                    print("bad chunk long after an answer:", statuses(answer + rest(connection)))
                    first = answer
                get = "GET / HTTP/1.1\nHost: localhost\n\n"
                send("nonsense behind two", f"{get}{get}nonsense\n\n")
                send("no host behind two", f"{get}{get}GET / HTTP/1.1\n\n")
                send("nonsense", "nonsense\n\n")
                send("many", get * 300)
                with connect() as connection:
                    connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf")
                    connection.shutdown(socket.SHUT_WR)
                    print("half a body:", statuses(rest(connection)))
                """#)
            let many = [String](repeating: "200", count: 301).joined(separator: " ")
            #expect(
                outcomes == """
                    bad chunk: 400
                    bad chunk behind an answer: 200
                    bad chunk long after an answer: 200
                    nonsense behind two: 200 200 400
                    no host behind two: 200 200 400
                    nonsense: 400
                    many: \(many)
                    half a body: 400

                    """)
        }

        @Test("requests with a refused body are answered at once; little of the body is read, and the connection ends")
        func refusedBody() async throws {
            var limits = ConnectionLimits()
            // Each of the first four connections ends after this time.
            limits.lingerMilliseconds = 200
            let outcomes = try await Self.outcomes(
                #"""
                head = b"POST /early HTTP/1.1\r\nHost: localhost\r\n"
                def pour(name, head, part):
                    with connect() as connection:
                        connection.sendall(head)
                        answer = connection.recv(1000)
                        sent = 0
                        try:
                            while sent < 200 << 20:
                                connection.sendall(part)
                                sent += len(part)
                            print(f"{name}: all was taken")
                        except (BrokenPipeError, ConnectionResetError):
                            print(f"{name}: {statuses(answer)}, {'little' if sent < 32 << 20 else sent} was taken")
                pour("length", head + b"Content-Length: 10000000000\r\n\r\n", b"x" * 65536)
                pour("chunks", head + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n")
                pour("nonsense", b"nonsense\r\n\r\n", b"x" * 65536)
                pour("two lengths", head + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", b"x" * 65536)
                # What is left is little: the connection goes on.
                send("the rest", f"POST /early HTTP/1.1\nHost: localhost\nContent-Length: 60000\n\n{'x' * 60000}")
                send("chunks to their end", "POST /early HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n\n1\nx\n0\n\n")
                """#, limits)
            #expect(
                outcomes == """
                    length: 200, little was taken
                    chunks: 200, little was taken
                    nonsense: 400, little was taken
                    two lengths: 400, little was taken
                    the rest: 200 200
                    chunks to their end: 200 200

                    """)
        }
    }
}
