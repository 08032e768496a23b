internal import ServerHTTP
internal import TestSupport
internal import Testing

@testable internal import AuthServer

extension ServerTests {
    /// The server is in this process. Each address of 127.0.0.0/8 is a separate client.
    @Suite("Many connections")
    struct Crowds {
        /// No connection is closed for being idle.
        private static var patient: ConnectionLimits {
            var limits = ConnectionLimits()
            limits.firstHeadMilliseconds = 600_000
            limits.requestMilliseconds = 600_000
            limits.idleMilliseconds = 600_000
            return limits
        }

        @Test("an address that opens any number of silent connections gets its share only, and locks out no other")
        func oneAddress() async throws {
            var limits = Self.patient
            (limits.total, limits.ofAddress) = (40, 8)
            try await GuardedServer.with(limits) { server in
                let program = try await server.run(
                    """
                    crowd = [connect("127.0.0.2") for _ in range(200)]
                    answers = [ask(connect(f"127.0.0.{number}")) for number in range(3, 23)]
                    print(answers.count("here"), "of 20 others are answered")
                    # Several event loops accept them: which came first is known about, not exactly.
                    closed, open_ = set(), set(crowd)
                    while len(closed) < 192:
                        for connection in select.select(open_, [], [], 20)[0]:
                            assert is_closed(connection)
                            open_.remove(connection)
                            closed.add(connection)
                    print(len(closed), "of 200 are closed")
                    print(ask(open_.pop()), "says another")
                    """)
                #expect(
                    program.output == "20 of 20 others are answered\n192 of 200 are closed\nhere says another\n",
                    "\(program.errors)")
                #expect(server.table.counts.ended[.address] == 192)
                #expect(server.table.counts.refused.isEmpty)
            }
        }

        @Test(
            "where all places are taken, the idle ones go first, requests under way go on, and health checks have places of their own"
        )
        func allPlaces() async throws {
            var limits = Self.patient
            (limits.total, limits.reserve) = (30, 2)
            try await GuardedServer.with(limits, reserved: ["127.0.0.200"]) { server in
                let program = try await server.run(
                    """
                    head = b"POST / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 1\\r\\n\\r\\n"
                    rested = [connect("127.0.0.2") for _ in range(10)]
                    assert all(ask(connection) == "here" for connection in rested)
                    silent = [connect(f"127.0.1.{number}") for number in range(1, 101)]
                    print(sum(is_closed(connection) for connection in rested), "that rested are closed")
                    busy = []
                    for number in range(30):
                        connection = connect("127.0.0.4")
                        connection.sendall(head.replace(b"Content-Length", b"Expect: 100-continue\\r\\nContent-Length"))
                        assert connection.recv(1000).startswith(b"HTTP/1.1 100")
                        busy.append(connection)
                    print(sum(is_closed(connection) for connection in silent), "that are silent are closed")
                    print(sum(ask(connect(f"127.0.0.{number}")) is None for number in range(5, 25)), "of 20 are refused")
                    print(sum(ask(connect("127.0.0.200")) == "here" for _ in range(20)), "of 20 health checks are answered")
                    for connection in busy: connection.sendall(b"x")
                    print(sum(connection.recv(1000).endswith(b"all of it") for connection in busy), "of 30 requests are answered")
                    print(ask(connect("127.0.0.5")), "says it to one more")
                    """)
                #expect(
                    program.output == """
                        10 that rested are closed
                        100 that are silent are closed
                        20 of 20 are refused
                        20 of 20 health checks are answered
                        30 of 30 requests are answered
                        here says it to one more

                        """, "\(program.errors)")
                #expect(server.table.counts.refused == [.full: 20])
            }
        }

        @Test(
            "one that sends no request is closed, also before the handshake of TLS; one that has sent one may rest",
            arguments: [false, true])
        func noRequest(withTLS: Bool) async throws {
            var limits = Self.patient
            limits.firstHeadMilliseconds = 500
            let folder = try TemporaryFolder()
            let certificate = withTLS ? try Certificate(in: folder.path, name: "localhost") : nil
            try await GuardedServer.with(limits, certificate: try certificate?.reloadable) { server in
                let program = try await server.run(
                    """
                    rested = connect()
                    if sys.argv[2] == "false": assert ask(rested) == "here"
                    silent = connect()
                    dripping = connect()
                    dripping.sendall(b"GET / HTTP/1.1\\r\\n")
                    print(is_closed(silent), is_closed(dripping))
                    if sys.argv[2] == "false": print(ask(rested))
                    else: assert is_closed(rested)
                    """, ["\(withTLS)"])
                #expect(program.output == (withTLS ? "True True\n" : "True True\nhere\n"), "\(program.errors)")
                #expect(server.table.counts.ended[.firstHead, default: 0] >= 2)
            }
        }

        @Test("a pipelined request has to end in time, too")
        func pipelined() async throws {
            var limits = Self.patient
            limits.requestMilliseconds = 500
            try await GuardedServer.with(limits) { server in
                let program = try await server.run(
                    """
                    connection = connect()
                    connection.sendall(
                        b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"
                        b"POST / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 1\\r\\n\\r\\n")
                    print(rest(connection).count(b"200 OK"))
                    """)
                #expect(program.output == "1\n", "\(program.errors)")
                #expect(server.table.counts.ended == [.request: 1])
            }
        }

        @Test("a client that has not sent the rest of an answered request keeps no place")
        func owedBody() async throws {
            var limits = Self.patient
            limits.total = 2
            try await GuardedServer.with(limits) { server in
                let program = try await server.run(
                    """
                    owing = [connect(), connect()]
                    for connection in owing:
                        connection.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 9\\r\\n\\r\\n")
                        assert b"here" in connection.recv(65536)
                    others = [connect(), connect()]
                    print(ask(others[0]), ask(others[1]))
                    """)
                #expect(program.output == "here here\n", "\(program.errors)")
                #expect(server.table.counts.ended == [.full: 2])
            }
        }

        // `RequestFlowTests` check in virtual time how long it has, and that a slow one has its time.
        @Test("a client that does not receive its answer is given up")
        func stalledReader() async throws {
            var limits = Self.patient
            limits.answerMilliseconds = 500
            limits.answerBytesPerSecond = .max
            try await GuardedServer.with(limits) { server in
                let program = try server.start(
                    """
                    import signal
                    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
                    stalled = connect()
                    stalled.sendall(b"GET /long HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n" * 20)
                    signal.sigwait([signal.SIGTERM])
                    # What the system holds for it comes anyway; behind that the connection ends.
                    print(len(rest(stalled)) < 160 << 20)
                    """)
                try await Patience.wait(for: "a client that is given up") {
                    !server.table.counts.ended.isEmpty || program.status != nil
                }
                program.signal(15)
                try await program.end()
                #expect(program.output == "True\n", "\(program.errors)")
                #expect(server.table.counts.ended == [.answer: 1])
            }
        }

        @Test("a client that receives its answers gets all of the long ones")
        func longAnswers() async throws {
            try await GuardedServer.with { server in
                let program = try await server.run(
                    """
                    quick = connect()
                    print(len(ask(quick, "/long")), len(ask(quick, "/long")))
                    """)
                #expect(program.output == "8388608 8388608\n", "\(program.errors)")
                #expect(server.table.counts.ended.isEmpty)
            }
        }
    }
}
