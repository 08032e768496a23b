internal import TestSupport
internal import Testing

extension ServerTests {
    @Suite("The memory of the server")
    struct Memory {
        /// Opens connections that each send 600 requests ahead and read no answer; tells when the system takes no more
        /// of them, and keeps the connections until it gets a signal.
        private static let sending = """
            import resource, signal, socket, sys
            limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            port, count = int(sys.argv[1]), int(sys.argv[2])
            text = b"GET /openapi.json HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n" * 600
            crowd = []
            for number in range(count):
                connection = socket.socket()
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                connection.bind((f"127.0.1.{number % 200 + 1}", 0))
                connection.connect(("127.0.0.1", port))
                connection.setblocking(False)
                crowd.append([connection, text])
            for _ in range(20):
                for each in crowd:
                    try:
                        while each[1]: each[1] = each[1][each[0].send(each[1]):]
                    except (BlockingIOError, ConnectionError):
                        pass
            print("sent", flush=True)
            signal.pause()
            """

        private static let connections = 600
        /// What one connection may take: an answer of 60 KB, the requests that wait, and its own parts.
        private static let bytesOfConnection = 192 << 10

        @Test(
            "clients that send requests ahead and read no answer take little memory, and take no more the second time")
        func unread() async throws {
            let folder = try TemporaryFolder()
            let server = try await RunningServer(home: "\(folder.path)/home", RunningServer.unlimited)
            let before = try await server.metric("process_resident_memory_bytes")
            #expect(before > 0)
            let answers = #"fuekid_requests_total{method="GET",path="/openapi.json",status="200"}"#
            for round in 0..<2 {
                let answered = round == 0 ? 0 : try await server.metric(answers)
                let crowd = try Companion(
                    Python.system, ["-c", Self.sending, "\(server.port)", "\(Self.connections)"])
                _ = try await crowd.line(with: "sent")
                try await Patience.wait(for: "an answer for each connection") {
                    try await server.metric(answers) >= answered + Self.connections
                }
                try await Patience.wait(for: "bytes that wait for a reader") {
                    try await server.metric("fuekid_connections_held_bytes") > 0
                }
                var most = 0
                for _ in 0..<20 { most = max(most, try await server.metric("process_resident_memory_bytes")) }
                #expect(most - before < Self.connections * Self.bytesOfConnection, "\(before) before, \(most) then")
                crowd.signal(15)
                try await crowd.end()
                try await Patience.wait(for: "the end of the connections") {
                    try await server.metric(#"fuekid_connections{state="resting"}"#)
                        + server.metric(#"fuekid_connections{state="busy"}"#) < 10
                }
                try await Patience.wait(for: "the end of the bytes that waited") {
                    try await server.metric("fuekid_connections_held_bytes") == 0
                }
            }
            #expect(try await server.stop() == 0)
        }
    }
}
