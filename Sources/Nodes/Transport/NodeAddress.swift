public import PinnedHTTP

/// A node's address: `https://node.example:8545/path`, with `user:password@` before the host if the node needs them
/// (RFC 3986).
///
/// ```swift
/// let node = try NodeAddress("http://127.0.0.1:8332", credentials: Credentials(cookieFile: path))
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
        /// A password would be sent unencrypted: only `https`, a node on this machine, or an onion service may have one.
        case credentialsInTheClear
    }

    /// The scheme, the host and the port.
    public let origin: Origin
    /// The path, without a slash at its end.
    let path: String
    let credentials: Credentials?

    /// The address as text, always with its port: `https://node.example:443`.
    public var description: String {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return "\(origin.scheme.rawValue)://\(host):\(origin.port)"
    }

    /// Whether the address has a user and a password, or was given some.
    public var hasCredentials: Bool { credentials != nil }

    /// Whether the node runs on this machine, as the address says.
    public var isLocal: Bool { origin.isLoopback }

    /// Whether the node is an onion service (RFC 7686): Tor encrypts the connection, and the name is the service's key.
    public var isOnion: Bool { origin.isOnion }

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
            text.utf8.allSatisfy(URLText.isAllowed)
        else { throw .notAnAddress }
        guard let colon = text.firstRange(of: "://") else { throw .scheme }
        guard let scheme = Origin.Scheme(rawValue: text[..<colon.lowerBound].lowercased()) else { throw .scheme }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        // The last one: a password may hold another, though it should be encoded.
        let at = authority.lastIndex(of: "@")
        origin = try Self.origin(scheme, at.map { authority[authority.index(after: $0)...] } ?? authority)
        path = try Self.path(rest[end...])
        credentials = try at.map { index throws(Fault) in try Credentials(userInfo: authority[..<index]) } ?? given
        guard at == nil || given == nil else { throw .credentials }
        guard credentials == nil || scheme == .https || isLocal || isOnion else { throw .credentialsInTheClear }
    }

    private static func origin(_ scheme: Origin.Scheme, _ text: Substring) throws(Fault) -> Origin {
        if let origin = Origin(scheme, authority: text) { return origin }
        // If it is valid without the part after the last colon, the port is wrong.
        let host = text.lastIndex(of: ":").flatMap { Origin(scheme, authority: text[..<$0]) }
        throw host == nil ? .host : .port
    }

    private static func path(_ text: Substring) throws(Fault) -> String {
        guard !text.contains("#"), !text.split(separator: "/").contains("..") else { throw .path }
        let path = text.first == "?" ? "/" + text : String(text)
        return path.last == "/" ? String(path.dropLast()) : path
    }
}
