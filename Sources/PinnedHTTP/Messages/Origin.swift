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
    /// brackets, in its one spelling (RFC 5952): pins are looked up by this text.
    public let host: String
    /// The port, from 1 to 65,535.
    public let port: UInt16

    /// Creates an origin.
    ///
    /// - Parameters:
    ///   - host: a DNS name in ASCII (RFC 1035: labels of letters, digits and hyphens, at most 253 characters), or an IP
    ///     address. Upper case becomes lower case. Numbers that only some resolvers read as an address, such as
    ///     `127.1`, and IPv4 addresses in the form of IPv6 are refused.
    ///   - port: the port; without one, that of the scheme.
    /// - Returns: nil if the host is invalid, or the port is 0.
    public init?(_ scheme: Scheme = .https, host: String, port: UInt16? = nil) {
        guard let host = Self.canonical(host), port != 0 else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.defaultPort
    }

    /// Reads a host, with a colon and a port or without (RFC 3986, section 3.2, without the user's part).
    ///
    /// - Returns: nil for anything else; an IPv6 address needs brackets.
    public init?(_ scheme: Scheme, authority text: some StringProtocol) {
        var host = text[...]
        var port: UInt16?
        // The last colon begins the port, unless it is in the brackets of an IPv6 address.
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
            host = text[..<colon]
            let digits = text[text.index(after: colon)...]
            guard Self.isNumber(Substring(digits)), let number = UInt16(digits) else { return nil }
            port = number
        }
        // Without brackets, the end of an IPv6 address looks like a port.
        guard host.contains(":") == (host.first == "[" && host.last == "]") else { return nil }
        self.init(scheme, host: String(host), port: port)
    }

    /// The origin as text, with the port only if it is not that of the scheme: `https://api.kraken.com`.
    public var description: String { "\(scheme.rawValue)://\(authority)" }

    /// The host with brackets if it needs them, and the port if it is not that of the scheme: the `Host` header.
    public var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return port == scheme.defaultPort ? host : "\(host):\(port)"
    }

    /// Whether the host is this machine, as its name or address says: `localhost`, 127.0.0.0/8, ::1.
    public var isLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }

    /// Whether the host is an onion service (RFC 7686), which only Tor reaches.
    package var isOnion: Bool { host.hasSuffix(".onion") }

    /// Returns the one spelling of a host; nil if it is none.
    private static func canonical(_ text: String) -> String? {
        // Before the change of case: some other characters have an ASCII letter as their lower case.
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let lower = text.lowercased()
        if lower.contains(":") {
            let bare = lower.hasPrefix("[") && lower.hasSuffix("]") ? String(lower.dropFirst().dropLast()) : lower
            guard let address = IPAddress(bare), !address.isMapped else { return nil }
            return address.description
        }
        let name = lower.last == "." ? String(lower.dropLast()) : lower
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(name.utf8.count), labels.allSatisfy(isLabel), let last = labels.last else {
            return nil
        }
        // The system's resolver reads `127.1` and `0x7f.1` as addresses: they would have other pins.
        if isNumber(last) { return IPAddress(name)?.description }
        return name
    }

    /// Whether a text is a label of a DNS name in lower case; the underscore is in use.
    static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    /// Whether a label is a decimal number, or a hexadecimal one.
    static func isNumber(_ label: Substring) -> Bool {
        if label.hasPrefix("0x") { return label.utf8.dropFirst(2).allSatisfy(isHexDigit) }
        return label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
