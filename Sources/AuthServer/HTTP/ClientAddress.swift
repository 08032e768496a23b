internal import Hummingbird

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Whose request it is, as far as the network tells: for limits and for the security events, never for access.
struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// An address of IPv4 as it is, one of IPv6 cut to its first 64 bits: the rest belongs to one customer, who can choose it.
    let description: String
    /// All of it, in the one way to write it; what is no address as it is.
    let exact: String

    init(_ text: String) {
        exact = Self.canonical(text) ?? text
        var bytes = [UInt8](repeating: 0, count: 16)
        guard exact.contains(":"), inet_pton(AF_INET6, exact, &bytes) == 1 else {
            description = exact
            return
        }
        description =
            stride(from: 0, to: 8, by: 2)
            .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":") + "::/64"
    }

    /// An address as RFC 5952 writes it; nil for what is none. `::ffff:192.0.2.1`, as a socket for both kinds shows an
    /// address of IPv4, is that address.
    static func canonical(_ text: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 16)
        var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if inet_pton(AF_INET6, text, &bytes) == 1 {
            if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] {
                return bytes.suffix(4).map(String.init).joined(separator: ".")
            }
            guard inet_ntop(AF_INET6, bytes, &name, socklen_t(name.count)) != nil else { return nil }
            return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        guard inet_pton(AF_INET, text, &bytes) == 1 else { return nil }
        return bytes.prefix(4).map(String.init).joined(separator: ".")
    }

    /// Some proxies write the client's port as well, which is another one at each connection: `192.0.2.1:50000`,
    /// `[2001:db8::1]:50000`.
    private static func withoutPort(_ hop: String) -> String {
        if hop.hasPrefix("[") { return String(hop.dropFirst().prefix { $0 != "]" }) }
        let parts = hop.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : hop
    }

    /// The client's own address: the connection's, or, where the connection is a trusted proxy's, the last one in
    /// `X-Forwarded-For` that no trusted proxy has. What stands before that one the client may have written itself.
    init(of request: Request, peer: String, transport: ServerConfiguration.Transport) {
        guard case .behindProxy(let proxies) = transport, proxies.contains(ClientAddress(peer).exact) else {
            self.init(peer)
            return
        }
        let hops = request.headers[values: .xForwardedFor].joined(separator: ",").split(separator: ",")
            .map { Self.withoutPort($0.filter { !$0.isWhitespace }) }
        self.init(hops.last { !proxies.contains(ClientAddress($0).exact) } ?? peer)
    }
}
