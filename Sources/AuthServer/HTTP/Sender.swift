internal import AuthAPI
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Who sent a request, as far as the network tells.
enum Sender: Equatable, Sendable {
    /// The other end of the connection; behind a proxy the client that the proxy names.
    case client(ClientAddress)
    /// A client that a proxy does not name: without `X-Forwarded-For`, or with a hop in it that is no address, or proxies only.
    case unnamed
    /// A connection that is no proxy's, where all requests come through proxies.
    case stranger

    /// - Parameter peer: the other end of the connection.
    init(of headers: HTTPFields, peer: ClientAddress, transport: ServerConfiguration.Transport) {
        switch transport {
        case .localhost, .tls: self = .client(peer)
        case .behindProxy(let proxies):
            if !proxies.contains(peer.exact) {
                self = .stranger
            } else if let client = ForwardedFor.client(in: headers[values: .xForwardedFor], proxies: proxies) {
                self = .client(client)
            } else {
                self = .unnamed
            }
        }
    }
}

/// Refuses requests whose sender is not known where proxies have to name it: the proxy itself would be taken for the client
/// otherwise, and all clients for one. The client of the others is in the context, where ``AnswerMiddleware`` has put it.
///
/// Answered all the same are probes, `/healthz` and `/readyz`, which no client sends: of a proxy, of this machine, and of the
/// addresses that may read the metrics; and `/metrics` for these.
struct SenderMiddleware: RouterMiddleware {
    typealias Context = AuthContext

    let configuration: ServerConfiguration
    let clock: @Sendable () -> Timestamp
    private let unnamed = RareLine(milliseconds: Limits.faultLogMilliseconds)
    private let strangers = RareLine(milliseconds: Limits.faultLogMilliseconds)

    init(configuration: ServerConfiguration, clock: @escaping @Sendable () -> Timestamp) {
        self.configuration = configuration
        self.clock = clock
    }

    func handle(
        _ request: Request, context: AuthContext, next: (Request, AuthContext) async throws -> Response
    ) async throws -> Response {
        if context.client != nil { return try await next(request, context) }
        let peer = context.peer
        let sender = Sender(of: request.headers, peer: peer, transport: configuration.transport)
        if isForOperator(request, from: peer, sender) { return try await next(request, context) }
        if sender == .unnamed {
            if unnamed.isDue(at: clock()) {
                context.logger.warning(
                    "X-Forwarded-For of the proxy names no client, or the proxy only: such requests are refused",
                    metadata: ["peer": "\(peer.exact)"])
            }
            throw Problem(.clientUnnamed)
        }
        if strangers.isDue(at: clock()) {
            context.logger.warning(
                "a connection that is not from proxy.addresses was refused", metadata: ["peer": "\(peer.exact)"])
        }
        throw Problem(.proxyRequired)
    }

    private func isForOperator(_ request: Request, from peer: ClientAddress, _ sender: Sender) -> Bool {
        switch request.uri.path {
        case "/healthz", "/readyz":
            sender == .unnamed || peer.isLoopback || configuration.metricsAddresses.contains(peer.exact)
        case "/metrics": configuration.showsMetrics(to: peer, request.headers)
        default: false
        }
    }
}

extension ServerConfiguration {
    /// What proxies add. A request that has one of these is not the operator's own.
    private static let forwarding: [HTTPField.Name] = [.xForwardedFor, .forwarded, .xRealIP, .via]

    /// Metrics are for this machine, where something collects them, and for the addresses that are named: by the connection's other
    /// end, and by no header.
    ///
    /// A proxy on this machine makes everybody's requests come from this machine. Then the machine's own address has to be named
    /// too, and no request is answered that has passed a proxy.
    func showsMetrics(to peer: ClientAddress, _ headers: HTTPFields) -> Bool {
        !Self.forwarding.contains(where: headers.contains) && mayShowMetrics(to: peer)
    }

    /// Whether a connection of this address may be one that reads the metrics.
    func mayShowMetrics(to peer: ClientAddress) -> Bool {
        if metricsAddresses.contains(peer.exact) { return true }
        guard case .behindProxy(let proxies) = transport else { return peer.isLoopback }
        return peer.isLoopback && !proxies.contains { ClientAddress($0).isLoopback }
    }
}
