internal import Encoding
public import Secrets

/// A SOCKS5 proxy (RFC 1928), for example Tor's.
///
/// A client with a proxy makes every connection through it, and leaves names to it: no name of a server is looked up on
/// this machine. For a node on this machine an app uses a second client without a proxy.
public struct SOCKSProxy: Sendable {
    /// The connections that share a user name and password at the proxy (RFC 1929).
    ///
    /// Tor gives connections with different ones different circuits (`IsolateSOCKSAuth`), so that two servers cannot be
    /// connected to one user by the circuit's address.
    public enum Authentication: Sendable {
        /// None.
        case none
        /// A name and a password of the proxy's user.
        case credentials(ProxyCredentials)
        /// A name for each origin, with a random password of this client: for Tor.
        case isolatedByOrigin(session: ProxyCredentials)

        /// A name for each origin, with a new random password: for Tor.
        public static func isolatedByOrigin(random: any RandomSource) -> Authentication {
            .isolatedByOrigin(session: ProxyCredentials(random: random))
        }
    }

    /// The proxy's host: a name that this machine looks up, or an IP address.
    public let host: String
    /// The proxy's port.
    public let port: UInt16
    /// The user name and password that it gets.
    public let authentication: Authentication

    /// Creates a proxy.
    ///
    /// - Returns: nil if the host is invalid, or the port is 0.
    public init?(host: String, port: UInt16, authentication: Authentication) {
        guard let origin = Origin(host: host, port: port) else { return nil }
        self.host = origin.host
        self.port = origin.port
        self.authentication = authentication
    }

    /// The user name and password for an origin; nil for none.
    func login(for origin: Origin) -> (user: [UInt8], credentials: ProxyCredentials)? {
        switch authentication {
        case .none: nil
        case .credentials(let credentials): (credentials.user, credentials)
        // A host of 253 characters fits; the end of a longer authority with its port does not matter.
        case .isolatedByOrigin(let session):
            (Array(origin.authority.utf8.prefix(HTTPLimits.proxyCredentialBytes)), session)
        }
    }
}

/// A user name and a password for a proxy, the password in guarded memory; prints as `<redacted>`.
public final class ProxyCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    let user: [UInt8]
    let password: SecretBytes

    /// Creates credentials.
    ///
    /// - Returns: nil if one of them is empty, or longer than 255 bytes.
    public init?(user: String, password: consuming SecretBytes) {
        guard (1...HTTPLimits.proxyCredentialBytes).contains(user.utf8.count),
            (1...HTTPLimits.proxyCredentialBytes).contains(password.count)
        else { return nil }
        self.user = Array(user.utf8)
        self.password = password
    }

    /// Creates credentials of `user:password`.
    ///
    /// - Returns: nil as for ``init(user:password:)``, or if the user is not UTF-8.
    convenience init?(pair: borrowing SecretBytes) {
        let colon = pair.withUnsafeBytes { $0.firstIndex(of: UInt8(ascii: ":")) }
        guard let colon, let user = pair.withUnsafeBytes({ String(validating: $0[..<colon], as: UTF8.self) }) else {
            return nil
        }
        self.init(user: user, password: pair.suffix(pair.count - colon - 1))
    }

    fileprivate init(random: any RandomSource) {
        user = []
        var hex = Array(Hex.encode(random.publicBytes(count: 16)).utf8)
        password = SecretBytes(moving: &hex)
    }

    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
