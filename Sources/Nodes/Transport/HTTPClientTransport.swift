internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// HTTP/1.1 over async-http-client, with TLS 1.2 or later.
///
/// It connects to the given address only: no redirects, no proxies, no cookies, and no compressed bodies, which could
/// be small on the network and large in memory.
public final class HTTPClientTransport: HTTPTransport {
    private let client: HTTPClient
    private let userAgent: String

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - userAgent: the name of this program: `fueki/0.1`.
    ///   - roots: certificate authorities (PEM) to trust in place of the system's: for a user's own node.
    ///   - connectTimeout: the time-out of a connection, with its TLS handshake.
    /// - Throws: ``NodeError/untrusted`` if `roots` are not certificates.
    public init(
        userAgent: String, roots: [UInt8]? = nil, connectTimeout: Duration = NodeLimits.connectTimeout
    ) throws(NodeError) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let roots {
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(roots), !certificates.isEmpty else {
                throw .untrusted
            }
            tls.trustRoots = .certificates(certificates)
        }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(connectTimeout)), proxy: nil, decompression: .disabled)
        configuration.httpVersion = .http1Only
        // Otherwise a host that does not listen is tried again until the time is over.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.userAgent = userAgent
    }

    deinit {
        // Closes idle connections in the background; nothing waits for it.
        client.shutdown { _ in }
    }

    public func send(_ request: HTTPRequest) async throws(NodeError) -> HTTPResponse {
        let outgoing = outgoing(request)
        let (client, limit, timeout) = (client, request.limit, request.timeout)
        // The client's own deadline covers only the head of the answer: a slow body would never end.
        let outcome = await withTaskGroup(of: Result<HTTPResponse, NodeError>.self) { group in
            group.addTask { await Self.exchange(outgoing, limit: limit, over: client) }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return .failure(Task.isCancelled ? .cancelled : .timedOut(.answering))
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
        return try outcome.get()
    }

    private func outgoing(_ request: HTTPRequest) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.address.url(request.path))
        outgoing.headers = ["User-Agent": userAgent, "Accept": "application/json, text/plain"]
        if let credentials = request.address.credentials {
            outgoing.headers.add(name: "Authorization", value: credentials.header)
        }
        switch request.method {
        case .get:
            outgoing.method = .GET
        case .post(let body, let type):
            outgoing.method = .POST
            outgoing.headers.add(name: "Content-Type", value: type)
            outgoing.body = .bytes(ByteBuffer(bytes: body))
        }
        return outgoing
    }

    private static func exchange(
        _ request: HTTPClientRequest, limit: Int, over client: HTTPClient
    ) async -> Result<HTTPResponse, NodeError> {
        do {
            let response = try await client.execute(request, deadline: .distantFuture)
            var body: [UInt8] = []
            for try await part in response.body {
                guard body.count + part.readableBytes <= limit else { return .failure(.tooLarge(limit: limit)) }
                body.append(contentsOf: part.readableBytesView)
            }
            return .success(HTTPResponse(status: Int(response.status.code), body: body))
        } catch {
            return .failure(Self.named(error))
        }
    }

    /// Returns our error for an error of the client. Its text is dropped, because it may contain the URL.
    private static func named(_ error: any Error) -> NodeError {
        switch error {
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout: .timedOut(.connecting)
            case .readTimeout, .writeTimeout, .deadlineExceeded: .timedOut(.answering)
            case .cancelled: .cancelled
            default: .unreachable(.closed)
            }
        case is NIOConnectionError: .unreachable(.notConnected)
        case let error as IOError:
            // Only a connection that is not established is refused, or has no route.
            [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode)
                ? .unreachable(.notConnected) : .unreachable(.closed)
        case let error as ChannelError:
            if case .connectTimeout = error { .timedOut(.connecting) } else { .unreachable(.closed) }
        case let error as HTTPParserError:
            error == .invalidEOFState ? .unreachable(.closed) : .unreachable(.notHTTP)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .untrusted
        case is CancellationError: .cancelled
        default: .unreachable(.closed)
        }
    }
}
