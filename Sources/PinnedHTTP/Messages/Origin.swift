/// The server of a request: scheme, host and port (RFC 6454).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The schemes of origins.
    public enum Scheme: String, Sendable {
        /// HTTP over TLS.
        case https
        /// HTTP without encryption. A client refuses it unless its configuration allows it for the host.
        case http

        /// The port of an address that names none.
        var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    /// The scheme.
    public let scheme: Scheme
    /// The host: a DNS name in lower case and without a dot at its end, an IPv4 address, or an IPv6 address without
    /// brackets.
    public let host: String
    /// The port, from 1 to 65,535.
    public let port: UInt16

    /// Creates an origin.
    ///
    /// - Parameters:
    ///   - host: a DNS name in ASCII (RFC 1035: labels of letters, digits and hyphens, at most 253 characters), or an IP
    ///     address. Upper case becomes lower case.
    ///   - port: the port; without one, that of the scheme.
    /// - Returns: nil if the host is invalid, or the port is 0.
    public init?(_ scheme: Scheme = .https, host: String, port: UInt16? = nil) {
        let lower = host.lowercased()
        let bare = lower.hasPrefix("[") && lower.hasSuffix("]") ? String(lower.dropFirst().dropLast()) : lower
        guard Self.isHost(bare), port != 0 else { return nil }
        self.scheme = scheme
        self.host = bare.last == "." ? String(bare.dropLast()) : bare
        self.port = port ?? scheme.defaultPort
    }

    /// The origin as text, with the port only if it is not that of the scheme: `https://api.kraken.com`.
    public var description: String { "\(scheme.rawValue)://\(authority)" }

    /// The host with brackets if it needs them, and the port if it is not that of the scheme: the `Host` header.
    public var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == scheme.defaultPort ? host : "\(host):\(port)"
    }

    /// Whether the host is this machine, as its name or address says: `localhost`, 127.0.0.0/8, ::1.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func isHost(_ text: String) -> Bool {
        if text.contains(":") {
            return text.utf8.count <= 45
                && text.utf8.allSatisfy { isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        }
        let name = text.last == "." ? text.dropLast() : text[...]
        guard (1...253).contains(name.utf8.count) else { return false }
        return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
