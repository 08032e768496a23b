internal import AuthAPI
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// The sender of a request, as far as the network reveals it.
enum Sender: Equatable, Sendable {
    /// A client: the other end of the connection, or behind a proxy the client that the proxy names.
    case client(ClientAddress)
    /// A client that a proxy does not name: `X-Forwarded-For` is missing, contains a hop that is not an address, or
    /// names proxies only.
    case unnamed
    /// A connection that does not come from a proxy, although all requests have to come through proxies.
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

/// Refuses requests whose sender is unknown where proxies have to name it. Otherwise the proxy would count as the
/// client, and all clients as one. The client of an accepted request is in the context, where ``AnswerMiddleware`` has
/// put it.
///
/// Probes are answered without a client: `/healthz` and `/readyz` for a proxy, for this machine, and for the addresses
/// that may read the metrics; `/metrics` for this machine and these addresses.
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
                    metadata: .of([.peer: "\(peer.exact)"]))
            }
            throw Problem(.clientUnnamed)
        }
        if strangers.isDue(at: clock()) {
            context.logger.warning(
                "a connection that is not from proxy.addresses was refused", metadata: .of([.peer: "\(peer.exact)"]))
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
    /// The fields that proxies add. A request with one of them does not come from the operator directly.
    private static let forwarding: [HTTPField.Name] = [.xForwardedFor, .forwarded, .xRealIP, .via]

    /// Returns whether a peer may read the metrics: this machine, where a collector runs, and the addresses that the
    /// operator names. The connection's other end decides, and no header.
    ///
    /// With a proxy on this machine, every client's request comes from this machine. Then the machine's own address has
    /// to be named too, and requests that passed a proxy are refused.
    func showsMetrics(to peer: ClientAddress, _ headers: HTTPFields) -> Bool {
        !Self.forwarding.contains(where: headers.contains) && mayShowMetrics(to: peer)
    }

    /// Returns whether a connection from this address may read the metrics.
    func mayShowMetrics(to peer: ClientAddress) -> Bool {
        if metricsAddresses.contains(peer.exact) { return true }
        guard case .behindProxy(let proxies) = transport else { return peer.isLoopback }
        return peer.isLoopback && !proxies.contains { ClientAddress($0).isLoopback }
    }
}
