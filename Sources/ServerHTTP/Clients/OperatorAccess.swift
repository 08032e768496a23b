package import HTTPTypes

/// Decides which peers may read what a server tells its operator: the metrics, and the answers to probes.
package struct OperatorAccess: Sendable {
    package let transport: Ingress
    /// The addresses that may read the metrics, besides this machine's.
    package let addresses: [String]

    package init(transport: Ingress, addresses: [String]) {
        self.transport = transport
        self.addresses = addresses
    }

    /// The fields that proxies add. A request with one of them does not come from the operator directly.
    private static let forwarding: [HTTPField.Name] = [.xForwardedFor, .forwarded, .xRealIP, .via]

    /// Returns whether a peer may read the metrics: this machine, where a collector runs, and the addresses that the
    /// operator names. The connection's other end decides, and no header.
    ///
    /// With a proxy on this machine, every client's request comes from this machine. Then the machine's own address has
    /// to be named too, and requests that passed a proxy are refused.
    package func showsMetrics(to peer: ClientAddress, _ headers: HTTPFields) -> Bool {
        !Self.forwarding.contains(where: headers.contains) && mayShowMetrics(to: peer)
    }

    /// Returns whether a connection from this address may read the metrics.
    package func mayShowMetrics(to peer: ClientAddress) -> Bool {
        if addresses.contains(peer.exact) { return true }
        guard case .behindProxy(let proxies) = transport else { return peer.isLoopback }
        return peer.isLoopback && !proxies.contains { ClientAddress($0).isLoopback }
    }
}
