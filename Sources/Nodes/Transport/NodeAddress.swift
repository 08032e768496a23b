/// A node's address: `https://node.example:8545/path`, with `user:password@` before the host if the node needs them
/// (RFC 3986).
///
/// ```swift
/// let node = try NodeAddress("http://127.0.0.1:8332", cookie: SecretBytes(…))
/// ```
///
/// Its description has scheme, host and port only: the path of a provider's URL often is a key, and the rest a
/// password.
public struct NodeAddress: Sendable, CustomStringConvertible {
    /// The errors in an address.
    public enum Fault: Error, Equatable, Sendable {
        /// It is empty, too long, or contains spaces, control characters or anything but ASCII.
        case notAnAddress
        /// The scheme is neither `http://` nor `https://`.
        case scheme
        /// The host is not valid.
        case host
        /// The port is not a number from 1 to 65,535.
        case port
        /// It has a fragment, or a path with `..`.
        case path
        /// The credentials are not `user:password`, or not encoded as a URL requires.
        case credentials
        /// A password would be sent unencrypted: only `https`, or a node on this machine, may have one.
        case credentialsInTheClear
    }

    /// Whether TLS encrypts the requests.
    public let isEncrypted: Bool
    /// The host: a name, an IPv4 address, or an IPv6 address in brackets; in lower case.
    public let host: String
    /// The port; without one in the text, that of the scheme.
    public let port: UInt16
    /// The path, without a slash at its end.
    let path: String
    let credentials: Credentials?

    /// The address as text: `https://node.example:8545`.
    public var description: String { "\(isEncrypted ? "https" : "http")://\(host):\(port)" }

    /// Whether the address has a user and a password, or was given some.
    public var hasCredentials: Bool { credentials != nil }

    /// Whether the node runs on this machine, as the address says.
    public var isLocal: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Reads an address, with a user and password in it or without.
    ///
    /// - Throws: ``NodeError/badAddress(_:)``.
    public init(_ text: String) throws(NodeError) {
        do throws(Fault) { try self.init(text, credentials: nil) } catch { throw .badAddress(error) }
    }

    /// Reads an address and takes the credentials from elsewhere, for example from Bitcoin Core's cookie file.
    ///
    /// - Throws: ``NodeError/badAddress(_:)``, also if the address has some of its own.
    public init(_ text: String, credentials: Credentials) throws(NodeError) {
        do throws(Fault) { try self.init(text, credentials: .some(credentials)) } catch { throw .badAddress(error) }
    }

    private init(_ text: String, credentials given: Credentials?) throws(Fault) {
        guard (1...NodeLimits.addressCharacters).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.neverInURLs.contains($0) })
        else { throw .notAnAddress }
        guard let colon = text.firstRange(of: "://") else { throw .scheme }
        switch text[..<colon.lowerBound].lowercased() {
        case "https": isEncrypted = true
        case "http": isEncrypted = false
        default: throw .scheme
        }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        // The last one: a password may hold another, though it should be encoded.
        let at = authority.lastIndex(of: "@")
        (host, port) = try Self.hostAndPort(
            at.map { authority[authority.index(after: $0)...] } ?? authority, isEncrypted: isEncrypted)
        path = try Self.path(rest[end...])
        credentials = try at.map { index throws(Fault) in try Credentials(userInfo: authority[..<index]) } ?? given
        guard at == nil || given == nil else { throw .credentials }
        guard credentials == nil || isEncrypted || isLocal else { throw .credentialsInTheClear }
    }

    private static let neverInURLs = Set("\"<>\\^`{|}".utf8)

    private static func hostAndPort(
        _ text: Substring, isEncrypted: Bool
    ) throws(Fault) -> (host: String, port: UInt16) {
        var host = text
        var digits: Substring?
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else { throw .host }
            host = text[...close]
            let rest = text[text.index(after: close)...]
            if !rest.isEmpty {
                guard rest.first == ":" else { throw .host }
                digits = rest.dropFirst()
            }
            let inside = host.dropFirst().dropLast()
            guard inside.count(where: { $0 == ":" }) >= 2,
                inside.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
            else { throw .host }
        } else {
            if let colon = text.lastIndex(of: ":") {
                host = text[..<colon]
                digits = text[text.index(after: colon)...]
            }
            guard (1...253).contains(host.utf8.count), host.first != ".", host.first != "-",
                host.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" })
            else { throw .host }
        }
        guard let digits else { return (host.lowercased(), isEncrypted ? 443 : 80) }
        guard digits.allSatisfy(\.isNumber), let port = UInt16(digits), port > 0 else { throw .port }
        return (host.lowercased(), port)
    }

    private static func path(_ text: Substring) throws(Fault) -> String {
        guard !text.contains("#"), !text.split(separator: "/").contains("..") else { throw .path }
        let path = text.first == "?" ? "/" + text : String(text)
        return path.last == "/" ? String(path.dropLast()) : path
    }

    /// Returns the whole URL, without credentials. For the transport only.
    func url(_ further: String) -> String { "\(self)\(path)\(further)" }
}
