internal import Hummingbird
internal import NIOCore
internal import NIOSSL
internal import ServerHTTP
internal import Synchronization
internal import TestSupport

@testable internal import AuthServer

/// A server in this process, with limits that are not settings, and with test routes:
/// - `GET /` is answered "here";
/// - `POST /` is answered "all of it" once its body has arrived;
/// - `POST /early` is answered "no" without waiting for the body;
/// - `GET /long` is answered by 8 MiB.
struct GuardedServer: Sendable {
    let port: Int
    let table: ConnectionTable

    static let longAnswer = 8 << 20

    /// - Parameter reserved: the addresses for which the reserve is kept.
    static func with<Value: Sendable>(
        _ limits: ConnectionLimits = ConnectionLimits(), reserved: Set<String> = [], proxies: Set<String> = [],
        certificate: Reloadable<NIOSSLContext>? = nil, _ body: (GuardedServer) async throws -> Value
    ) async throws -> Value {
        let table = ConnectionTable(
            limits, isProxy: { proxies.contains($0.exact) }, hasReserve: { reserved.contains($0.exact) })
        let transport = ServerTransport(table, limits, HeadRules(hosts: ["localhost"]), certificate: certificate)
        let port = Mutex<Int?>(nil)
        let application = Application(
            router: router, server: transport.builder,
            // All of 127.0.0.0/8: each address is a separate client.
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.withLock { $0 = channel.localAddress?.port } })
        let running = Task { try await application.runService(gracefulShutdownSignals: []) }
        var found: Int?
        try await Patience.wait(for: "the server") {
            found = port.withLock { $0 }
            return found != nil
        }
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(GuardedServer(port: found ?? 0, table: table))) } catch {
            outcome = .failure(error)
        }
        running.cancel()
        _ = try? await running.value
        return try outcome.get()
    }

    private static var router: Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: ContinueMiddleware())
        router.get("/") { _, _ in "here" }
        router.get("/loop") { _, context in "\(context.channel.eventLoop.inEventLoop)" }
        router.get("/pool") { _, context in
            let isOnLoop = await offEventLoop { context.channel.eventLoop.inEventLoop }
            return "\(isOnLoop), then \(context.channel.eventLoop.inEventLoop)"
        }
        router.post("/") { request, _ in
            _ = try await request.body.collect(upTo: 1 << 20)
            return "all of it"
        }
        router.post("/early") { _, _ in "no" }
        router.get("/long") { _, _ in
            Response(
                status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: UInt8(ascii: "x"), count: longAnswer))
            )
        }
        return router
    }

    /// Runs a Python script, with the port as its first argument and with the functions of ``library``.
    func run(_ script: String, _ arguments: [String] = []) async throws -> Companion {
        // No thread waits for it: on a small machine the server would have none left.
        let program = try start(script, arguments)
        try await program.end()
        return program
    }

    /// Starts a script, and does not wait for it.
    func start(_ script: String, _ arguments: [String] = []) throws -> Companion {
        try Companion(Python.system, ["-c", Self.library + script, "\(port)"] + arguments)
    }

    private static let library = """
        import re, select, socket, sys, time
        PORT = int(sys.argv[1])

        def connect(address="127.0.0.1"):
            "A connection from such an address of this machine."
            return socket.create_connection(("127.0.0.1", PORT), timeout=600, source_address=(address, 0))

        def ask(connection, path="/", host="localhost"):
            "Sends a request, and returns the body of its answer; None where there is none."
            try:
                connection.sendall(f"GET {path} HTTP/1.1\\r\\nHost: {host}\\r\\n\\r\\n".encode())
                answer = b""
                while b"\\r\\n\\r\\n" not in answer:
                    part = connection.recv(65536)
                    if not part: return None
                    answer += part
                head, body = answer.split(b"\\r\\n\\r\\n", 1)
                length = int(re.search(rb"(?i)content-length: (\\d+)", head)[1])
                while len(body) < length:
                    part = connection.recv(65536)
                    if not part: return None
                    body += part
                return body.decode()
            except (BrokenPipeError, ConnectionResetError):
                return None

        def is_closed(connection):
            "Waits for the end of a connection, on which nothing else comes."
            try:
                return connection.recv(1) == b""
            except ConnectionResetError:
                return True

        def rest(connection):
            "All that comes until the end."
            answer = b""
            try:
                while part := connection.recv(65536): answer += part
            except ConnectionResetError:
                pass
            return answer

        def statuses(answer):
            return " ".join(code.decode() for code in re.findall(rb"HTTP/1.[01] (\\d+)", answer))


        """
}
