internal import AuthAPI
internal import Hummingbird
internal import Logging
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import AuthServer

@Suite("Connections")
struct ConnectionTests {
    @Test("a request that does not arrive in time is given up, however busily it drips; one that does is answered")
    func dripping() async throws {
        let port = Mutex<Int?>(nil)
        let router = Router()
        router.post("/") { request, _ in
            _ = try await request.body.collect(upTo: 1 << 10)
            return "all of it"
        }
        let application = Application(
            router: router,
            server: try ServerTransport.builder(.localhost, requestMilliseconds: 700),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.withLock { $0 = channel.localAddress?.port } })
        let running = Task { try await application.runService(gracefulShutdownSignals: []) }
        var found: Int?
        while found == nil {
            try await Task.sleep(for: .milliseconds(5))
            found = port.withLock { $0 }
        }
        let outcome = try Program.run(
            Python.system, ["-c", Self.script, "\(found ?? 0)"], seconds: 60)
        #expect(
            outcome.output == "length given up\nchunked given up\nquick all of it, three times\n", "\(outcome.errors)")
        running.cancel()
        _ = try? await running.value
    }

    /// Sends a body byte by byte, a second or two in all; and one that comes at once, three times on one connection, with pauses.
    private static let script = """
        import socket, sys, time
        def connect():
            return socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=20)
        def drip(head, bytes):
            with connect() as connection:
                connection.sendall(head)
                try:
                    for byte in bytes:
                        connection.sendall(byte)
                        time.sleep(0.1)
                    return "given up" if connection.recv(1000) == b"" else "answered"
                except (BrokenPipeError, ConnectionResetError):
                    return "given up"
        head = b"POST / HTTP/1.1\\r\\nHost: localhost\\r\\n"
        print("length", drip(head + b"Content-Length: 20\\r\\n\\r\\n", [b"x"] * 20))
        print("chunked", drip(head + b"Transfer-Encoding: chunked\\r\\n\\r\\n", [b"1\\r\\nx\\r\\n"] * 20 + [b"0\\r\\n\\r\\n"]))
        with connect() as connection:
            for _ in range(3):
                connection.sendall(head + b"Content-Length: 1\\r\\n\\r\\nx")
                answer = b""
                while not answer.endswith(b"all of it"):
                    part = connection.recv(1000)
                    if not part: sys.exit("closed")
                    answer += part
                time.sleep(0.5)
        print("quick all of it, three times")
        """
}
