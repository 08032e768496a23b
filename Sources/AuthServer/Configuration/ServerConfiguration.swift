public import AuthAPI

/// All that an operator decides. Read from a file and the environment by ``ConfigurationSource``; each setting has a default
/// that is safe for one machine, and the whole is checked before anything is opened.
public struct ServerConfiguration: Equatable, Sendable {
    /// Where people and apps reach the server: the issuer of its tokens, and what DPoP proofs name.
    public var publicURL: PublicURL
    /// Where it listens.
    public var listen: ListenAddress
    /// How requests reach the server.
    public var transport: Transport
    /// What passkeys are made for.
    public var relyingParty: RelyingPartySettings
    /// Where the server keeps its data.
    public var store: StoreLocation
    /// How long sessions and tokens last.
    public var sessions: SessionSettings
    /// How many requests are answered.
    public var limits: LimitSettings
    /// How many connections are held.
    public var connections: ConnectionSettings
    /// Which attestations are accepted.
    public var attestation: AttestationSettings
    /// Who may make an account.
    public var signUp = SignUp.open
    /// Whether a passkey may become backup eligible, after it was registered as one that is not. By the specification that never
    /// happens; some providers do it.
    public var allowsNewBackupEligibility: Bool
    /// Who may read the metrics, besides this machine.
    public var metricsAddresses: [String]
    /// Who may introspect tokens (RFC 7662).
    public var introspectionClients: [IntrospectionClient]
    /// How much of a client's address the log has.
    public var logAddresses: LogAddresses

    /// How requests arrive.
    public enum Transport: Equatable, Sendable {
        /// Without TLS, on this machine only: browsers take `http://localhost` for secure, and nothing else.
        case localhost
        /// TLS 1.3 by this process.
        case tls(certificatePath: String, keyPath: String)
        /// TLS ends at a proxy, whose connections come from these addresses, and which appends the client's address to
        /// `X-Forwarded-For`.
        case behindProxy(addresses: [String])
    }

    /// Whose passkeys they are.
    public struct RelyingPartySettings: Equatable, Sendable {
        /// The domain that passkeys belong to. It can never be changed: they would be lost.
        public var id: String
        /// The name of the relying party, for users to read.
        public var name: String
        /// The pages on which passkeys may be used, as `https://host[:port]`.
        public var origins: [String]
    }

    /// How long what is good.
    public struct SessionSettings: Equatable, Sendable {
        /// After so long without a refresh, a session ends.
        public var idle: Timestamp.Span
        /// After so long it ends whatever happens.
        public var lifetime: Timestamp.Span
        /// Within so long from its first use, a refresh token may be used again by the same device, and gives the same answer.
        public var retryWindow: Timestamp.Span
        /// How long an access token is valid.
        public var accessToken: Timestamp.Span
        /// How old a sign-in may be for what is sensitive.
        public var stepUpAge: Timestamp.Span
    }

    /// Who may make an account.
    public enum SignUp: String, CaseIterable, Sendable {
        /// Every person makes an account.
        case open
        /// A person with an invitation of the operator makes an account.
        case invitation
        /// No new accounts are made.
        case closed
    }

    /// Token buckets: how many requests at once, and how many each minute after that.
    public struct LimitSettings: Equatable, Sendable {
        /// Requests without a session of one address; of IPv6 of a /64.
        public var address: Bucket
        /// Requests without a session of one network: a /24 of IPv4, a /48 of IPv6; a /56 may make half as many.
        public var network = Bucket(burst: 4_000, perMinute: 4_000)
        /// Requests of one session, and sign-ins of one account.
        public var account: Bucket
        /// Refreshes of one session, and requests without a session of one device.
        public var device: Bucket
        /// Recovery codes that are refused, of one address and of one code.
        public var recovery: Bucket
        /// Recovery codes that are refused, of all.
        public var allRecoveries = Bucket(burst: 60, perMinute: 60)
        /// New accounts of all.
        public var allSignUps = Bucket(burst: 300, perMinute: 60)

        /// A token bucket.
        public struct Bucket: Equatable, Sendable {
            /// How many at once, after a pause.
            public var burst: Int
            /// How many each minute after that.
            public var perMinute: Int

            /// Creates a limit of `burst` requests at once, refilled by `perMinute`.
            public init(burst: Int, perMinute: Int) {
                self.burst = burst
                self.perMinute = perMinute
            }
        }
    }

    /// How many connections there may be at a time.
    public struct ConnectionSettings: Equatable, Sendable {
        /// All together.
        public var total: Int
        /// Of one address; of IPv6 of one network of 64 bits.
        public var ofAddress: Int
    }

    /// Which attestations of passkeys are wanted.
    public struct AttestationSettings: Equatable, Sendable {
        /// Whether passkeys have to come with an attestation that leads to an anchor.
        public var isRequired: Bool
        /// The certificates of makers that are trusted, each for one format.
        public var anchors: [AnchorFile]
        /// The metadata of the FIDO alliance, as it is downloaded.
        public var metadataPath: String?
        /// PEM file with the certificate that vouches for their signer.
        public var metadataRootPath: String?
        /// Google's list of revoked certificates of Android, as it is downloaded.
        public var androidRevocationPath: String?
        /// Whether a TPM's statement may be signed with SHA-1, as most of those of Windows Hello are.
        public var allowsInsecureSHA1OfTPMs = false
        /// Whether a key counts as Android's that Android keeps itself, and not secure hardware.
        public var allowsAndroidSoftwareKeys = false

        /// Whether anything comes of an attestation: somebody is trusted to make one.
        var isOfUse: Bool { isRequired || !anchors.isEmpty || metadataPath != nil }

        /// A PEM file with certificates of makers, and the format that they are trusted for.
        public struct AnchorFile: Equatable, Sendable {
            /// The format that the certificate attests in.
            public var format: AnchorFormat
            /// The path of the certificate's file.
            public var path: String

            /// Creates the place of a certificate.
            public init(format: AnchorFormat, path: String) {
                self.format = format
                self.path = path
            }

            /// Reads `format=path`; nil for anything else.
            init?(_ text: String) {
                guard let mark = text.firstIndex(of: "="), let format = AnchorFormat(rawValue: String(text[..<mark]))
                else { return nil }
                let path = String(text[text.index(after: mark)...])
                guard !path.isEmpty else { return nil }
                self.init(format: format, path: path)
            }
        }

        /// The formats of attestation that have certificates. A maker of security keys must not vouch for TPMs.
        public enum AnchorFormat: String, CaseIterable, Sendable {
            /// The format of WebAuthn itself.
            case packed
            /// The format of a TPM.
            case tpm
            /// The format of Android's hardware-backed keys.
            case androidKey = "android-key"
            /// The format of Apple's anonymous attestation.
            case apple
            /// The format of FIDO U2F security keys.
            case fidoU2F = "fido-u2f"
        }
    }

    /// How much of a client's address the log has.
    public enum LogAddresses: String, Equatable, Sendable, CaseIterable {
        /// An address of IPv4 whole, and the first 64 bits of one of IPv6: the same as the limits and the security events have.
        case network
        /// The whole address.
        case full
        /// No address.
        case none
    }

    /// A service that may ask about tokens.
    public struct IntrospectionClient: Equatable, Sendable {
        /// By which it is named in `introspection_clients`.
        public var name: String
        /// SHA-256 of its secret, which is 32 random bytes or more: nothing that could be guessed.
        public var secretHash: [UInt8]
    }
}

/// `host:port` to listen on.
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// The address or name of the host.
    public let host: String
    /// The number of the port.
    public let port: Int

    /// Nil for anything but a name or an address (an IPv6 one in brackets), a colon and a port.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            // With it the system would choose: nobody could know the address, which stands in every token.
            port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.count <= 253, !host.contains(where: \.isWhitespace) else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// `https://host[:port]`, or `http://localhost[:port]`: an origin, without a path.
public struct PublicURL: Equatable, Sendable, CustomStringConvertible {
    /// The scheme: `https`, or `http` for this machine.
    public let scheme: String
    /// The name of the host.
    public let host: String
    /// As it stands in the text: nil where the scheme's own is meant.
    public let port: Int?

    /// Nil for anything else, or for upper-case letters, a path, a query or a user.
    public init?(_ text: String) {
        let scheme = text.hasPrefix("https://") ? "https" : "http"
        guard text.hasPrefix("\(scheme)://") else { return nil }
        let authority = text.dropFirst(scheme.utf8.count + 3)
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, !host.isEmpty, host.utf8.count <= 253,
            host.utf8.allSatisfy(Self.isOfHost), host.utf8.first != UInt8(ascii: "."), host != "-"
        else { return nil }
        if parts.count == 2 {
            guard let port = UInt16(parts[1]), port > 0, String(port) == parts[1] else { return nil }
            // The default port is not written (RFC 6454 section 6.2): one origin has one text.
            guard port != (scheme == "https" ? 443 : 80) else { return nil }
            self.port = Int(port)
        } else {
            port = nil
        }
        guard scheme == "https" || host == "localhost" else { return nil }
        self.scheme = scheme
        self.host = String(host)
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Whether it is reached by TLS.
    public var isSecure: Bool { scheme == "https" }

    public var description: String { port.map { "\(scheme)://\(host):\($0)" } ?? "\(scheme)://\(host)" }
}

/// Where the server keeps what it knows.
public enum StoreLocation: Equatable, Sendable {
    /// A file of SQLite; a relative path starts at the home folder.
    case sqlite(path: String)
    /// A connection string of libpq. It is never printed: it may have a password.
    case postgreSQL(connection: String, connections: Int)
}
