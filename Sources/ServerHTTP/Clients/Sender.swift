internal import AuthAPI
package import HTTPTypes
package import Hummingbird
internal import Logging
package import Time

/// The sender of a request, as far as the network reveals it.
package enum Sender: Equatable, Sendable {
    /// A client: the other end of the connection, or behind a proxy the client that the proxy names.
    case client(ClientAddress)
    /// A client that a proxy does not name: `X-Forwarded-For` is missing, contains a hop that is not an address, or
    /// names proxies only.
    case unnamed
    /// A connection that does not come from a proxy, although all requests have to come through proxies.
    case stranger

    /// - Parameter peer: the other end of the connection.
    package init(of headers: HTTPFields, peer: ClientAddress, transport: Ingress) {
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
package struct SenderMiddleware: RouterMiddleware {
    package typealias Context = ServerContext

    package let access: OperatorAccess
    package let clock: @Sendable () -> Timestamp
    private let unnamed = RareLine(milliseconds: ServerHTTPLimits.faultLogMilliseconds)
    private let strangers = RareLine(milliseconds: ServerHTTPLimits.faultLogMilliseconds)

    package init(access: OperatorAccess, clock: @escaping @Sendable () -> Timestamp) {
        self.access = access
        self.clock = clock
    }

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if context.client != nil { return try await next(request, context) }
        let peer = context.peer
        let sender = Sender(of: request.headers, peer: peer, transport: access.transport)
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
            sender == .unnamed || peer.isLoopback || access.addresses.contains(peer.exact)
        case "/metrics": access.showsMetrics(to: peer, request.headers)
        default: false
        }
    }
}
