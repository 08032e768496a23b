package import AuthAPI
package import NIOHTTP1

/// The rules that refuse a request for its head alone: a framing that this server and a proxy could read differently
/// (RFC 9112), and a host that is not this server.
package struct HeadRules: Sendable {
    /// The names that `Host`, or a target in absolute form, may contain, in lower case; nil allows any name. Addresses
    /// are always accepted.
    package let hosts: Set<String>?

    /// Accepts any name behind a proxy, because a proxy may use its own name for this server. Elsewhere a foreign name
    /// is an attack by DNS rebinding: a page lets its own name resolve to this machine, and the browser lets it read
    /// the answers, such as `/metrics`, which this server gives to its own machine. Health checks use an address or
    /// `localhost`.
    ///
    /// - Parameter names: the names of this server, in lower case.
    package init(_ transport: Ingress, names: Set<String>) {
        switch transport {
        case .behindProxy: hosts = nil
        case .localhost, .tls: hosts = names.union(["localhost"])
        }
    }

    package init(hosts: Set<String>?) { self.hosts = hosts }

    package func refusal(of head: HTTPRequestHead) -> Problem? { hostRefusal(of: head) ?? framingRefusal(of: head) }

    private func hostRefusal(of head: HTTPRequestHead) -> Problem? {
        let fields = head.headers["Host"]
        // RFC 9112 section 3.2. HTTP/1.0 does not require `Host`.
        if fields.isEmpty, head.version.minor == 0 { return nil }
        guard fields.count == 1, var name = fields.first.flatMap(Self.name) else { return Problem(.malformedRequest) }
        // RFC 9112 section 3.2.2: the host of a target in absolute form takes the place of that in `Host`.
        if !head.uri.hasPrefix("/"), let start = head.uri.firstRange(of: "://")?.upperBound {
            let authority = head.uri[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            guard let own = Self.name(String(authority)) else { return Problem(.malformedRequest) }
            name = own
        }
        guard let hosts, !hosts.contains(name), ClientAddress.canonical(name) == nil else { return nil }
        return Problem(.notFound, status: 421)
    }

    /// Returns the host of `host[:port]` in lower case, an IPv6 address without its brackets; nil for any other text.
    private static func name(_ field: String) -> String? {
        var host = field[...]
        if let colon = field.lastIndex(of: ":"), !field.hasSuffix("]") {
            guard field[field.index(after: colon)...].utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
            else { return nil }
            host = field[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = String(host.dropFirst().dropLast())
            return address.contains(":") && ClientAddress.canonical(address) != nil ? address : nil
        }
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isOfName) else { return nil }
        return host.lowercased()
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Returns why a head's framing is refused (RFC 9112 section 6.1). If a head gives the length of the body in two
    /// ways, or in a way that this server does not know, a part of the body could be read as another request.
    private func framingRefusal(of head: HTTPRequestHead) -> Problem? {
        let codings = head.headers["Transfer-Encoding"]
        guard !codings.isEmpty else { return nil }
        guard head.version.minor > 0, !head.headers.contains(name: "Content-Length") else {
            return Problem(.malformedRequest)
        }
        guard codings.count == 1, codings.first?.lowercased() == "chunked" else {
            return Problem(.malformedRequest, status: 501)
        }
        return nil
    }
}
