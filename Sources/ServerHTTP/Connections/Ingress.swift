/// The ways in which requests reach the server.
public enum Ingress: Equatable, Sendable {
    /// Plain HTTP on this machine only: of all plain HTTP origins browsers treat only `http://localhost` as secure.
    case localhost
    /// TLS 1.3, ended by this process.
    case tls(certificatePath: String, keyPath: String)
    /// TLS, ended by a proxy. The proxy connects from one of these addresses, and appends the client's address to
    /// `X-Forwarded-For`.
    case behindProxy(addresses: [String])
}

extension Ingress {
    /// Returns whether this peer is one of the operator's proxies, whose header names the client.
    package func trusts(_ peer: ClientAddress) -> Bool {
        guard case .behindProxy(let proxies) = self else { return false }
        return proxies.contains(peer.exact)
    }
}
