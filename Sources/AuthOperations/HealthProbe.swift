public import AuthSettings
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import ServerHTTP

/// Asks a server on this machine whether it works: for the health check of a container, which has no other program for
/// it.
public enum HealthProbe {
    /// The question to the server.
    public enum Question: String, Sendable {
        /// Whether the process answers.
        case alive = "/healthz"
        /// Whether the server can also reach its store.
        case ready = "/readyz"
    }

    /// Asks once.
    ///
    /// - Returns: the status of the answer; nil if none arrived in time.
    /// - Parameter seconds: the time limit.
    public static func ask(
        _ question: Question, _ configuration: ServerConfiguration, seconds: Int64 = 5
    ) async throws -> Int? {
        let listen = configuration.listen
        let host = listen.isEverywhere ? (listen.host.contains(":") ? "::1" : "127.0.0.1") : listen.host
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let status = loop.makePromise(of: Int?.self)
        let answer = Answer(status)
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(.seconds(seconds)).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                if case .tls = configuration.transport {
                    var tls = TLSConfiguration.makeClientConfiguration()
                    // The probe asks its own machine and sends no secret. It concludes only that a server answers.
                    tls.certificateVerification = .none
                    try pipeline.addHandler(
                        NIOSSLClientHandler(context: NIOSSLContext(configuration: tls), serverHostname: nil))
                }
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(answer)
            }
        }
        let channel: any Channel
        do {
            channel = try await bootstrap.connect(host: host, port: listen.port).get()
        } catch {
            status.succeed(nil)
            return nil
        }
        let late = loop.scheduleTask(in: .seconds(seconds)) { status.succeed(nil) }
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: question.rawValue,
            headers: ["Host": configuration.publicURL.authority, "Connection": "close"])
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        let answered = try await status.futureResult.get()
        late.cancel()
        channel.close(promise: nil)
        return answered
    }

    /// Reads the status of the first answer.
    private final class Answer: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPClientResponsePart

        private let status: EventLoopPromise<Int?>

        init(_ status: EventLoopPromise<Int?>) { self.status = status }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = unwrapInboundIn(data) { status.succeed(Int(head.status.code)) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { status.succeed(nil) }
        func channelInactive(context: ChannelHandlerContext) { status.succeed(nil) }
    }
}

extension ListenAddress {
    /// Whether the address means all addresses of the machine.
    var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }
}
