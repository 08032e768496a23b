public import ServerHTTP
public import Time

/// All settings of the server. ``ConfigurationSource`` reads them from a file and the environment; each setting has a
/// default that is safe for one machine, and all are checked before the server opens anything.
public struct ServerConfiguration: Equatable, Sendable {
    /// The URL at which people and apps reach the server: the issuer of its tokens, and the URL that DPoP proofs name.
    public var publicURL: PublicURL
    /// The address on which the server listens.
    public var listen: ListenAddress
    /// How requests reach the server.
    public var transport: Ingress
    /// The relying party that passkeys are made for.
    public var relyingParty: RelyingPartySettings
    /// The look of the pages.
    public var page = PageSettings()
    /// The place where the server keeps its data.
    public var store: StoreLocation
    /// The lifetimes of sessions and tokens.
    public var sessions: SessionSettings
    /// The limits of requests.
    public var limits: LimitSettings
    /// The limits of connections.
    public var connections: ConnectionSettings
    /// Which attestations are accepted.
    public var attestation: AttestationSettings
    /// The rule for new accounts: open, by invitation, or closed.
    public var signUp = SignUp.open
    /// Whether a passkey that was registered as not backup eligible may become backup eligible. The specification
    /// forbids that; some providers do it.
    public var allowsNewBackupEligibility: Bool
    /// The addresses that may read the metrics, besides this machine's.
    public var metricsAddresses: [String]
    /// The services that may introspect tokens (RFC 7662).
    public var introspectionClients: [IntrospectionClient]
    /// How much of a client's address the log contains.
    public var logAddresses: LogAddresses
    /// The audit log of the server's own security events.
    public var audit: AuditSettings
    /// The witness of the logs of others.
    public var witness: WitnessSettings

    /// The relying party of the passkeys.
    public struct RelyingPartySettings: Equatable, Sendable {
        /// The domain that passkeys belong to. It can never be changed: all passkeys would be lost.
        public var id: String
        /// The name of the relying party, which users read.
        public var name: String
        /// The pages on which passkeys may be used, as `https://host[:port]`.
        public var origins: [String]
    }

    /// The look of the pages. The name on them is the relying party's.
    public struct PageSettings: Equatable, Sendable {
        /// The colour of buttons and links; nil for the default one.
        public var accent: PageColor?
        /// The path of the logo: PNG, WebP or SVG.
        public var logoPath: String?
    }

    /// The lifetimes of sessions, tokens and sign-ins.
    public struct SessionSettings: Equatable, Sendable {
        /// The time without a refresh after which a session ends.
        public var idle: Timestamp.Span
        /// The time after which a session ends in any case.
        public var lifetime: Timestamp.Span
        /// The time after its first use in which the same device may use a refresh token again. It gets the same
        /// answer.
        public var retryWindow: Timestamp.Span
        /// The time for which an access token is valid.
        public var accessToken: Timestamp.Span
        /// The highest age of a sign-in for a sensitive change.
        public var stepUpAge: Timestamp.Span
    }

    /// The persons who may make an account.
    public enum SignUp: String, CaseIterable, Sendable {
        /// Anyone may make an account.
        case open
        /// A person with an invitation of the operator may make an account.
        case invitation
        /// No new accounts are made.
        case closed
    }

    /// The limits of requests: token buckets with a burst and a refill rate.
    public struct LimitSettings: Equatable, Sendable {
        /// Requests without a session from one address, or from one IPv6 network of 64 bits.
        public var address: Bucket
        /// Requests without a session from one network: a /24 of IPv4, a /48 of IPv6; a /56 may make half as many.
        public var network: Bucket
        /// Requests of one session, and sign-ins of one account.
        public var account: Bucket
        /// Refreshes of one session, and requests without a session of one device.
        public var device: Bucket
        /// Refused recovery codes of one address and of one code.
        public var recovery: Bucket
        /// Refused recovery codes of all addresses together.
        public var allRecoveries: Bucket
        /// New accounts of all addresses together.
        public var allSignUps: Bucket

        /// A token bucket.
        public struct Bucket: Equatable, Sendable {
            /// The burst: the number of requests at once, after a pause.
            public var burst: Int
            /// The refill rate: the number of requests each minute afterwards.
            public var perMinute: Int

            /// Creates a limit with a burst and a refill rate.
            public init(burst: Int, perMinute: Int) {
                self.burst = burst
                self.perMinute = perMinute
            }
        }
    }

    /// The settings for attestations of passkeys.
    public struct AttestationSettings: Equatable, Sendable {
        /// Whether a passkey needs an attestation that leads to an anchor.
        public var isRequired: Bool
        /// The certificates of trusted makers, each for one format.
        public var anchors: [AnchorFile]
        /// The path of the FIDO Alliance's metadata file, as it is downloaded.
        public var metadataPath: String?
        /// The path of a PEM file with the certificate of the metadata signer's authority.
        public var metadataRootPath: String?
        /// The path of Google's list of revoked Android certificates, as it is downloaded.
        public var androidRevocationPath: String?
        /// Whether a TPM's statement may be signed with SHA-1. Most statements of Windows Hello are.
        public var allowsInsecureSHA1OfTPMs = false
        /// Whether a key that Android itself keeps, without secure hardware, counts as an Android key.
        public var allowsAndroidSoftwareKeys = false

        /// Whether an attestation can change anything: an anchor or metadata are configured, or an attestation is
        /// required.
        package var isOfUse: Bool { isRequired || !anchors.isEmpty || metadataPath != nil }

        /// A PEM file with certificates of makers, and the format for which they are trusted.
        public struct AnchorFile: Equatable, Sendable {
            /// The format that the certificate attests in.
            public var format: AnchorFormat
            /// The path of the certificate's file.
            public var path: String

            /// Creates an anchor file of a format and a path.
            public init(format: AnchorFormat, path: String) {
                self.format = format
                self.path = path
            }

            /// Parses `format=path`; nil for any other text.
            init?(_ text: String) {
                guard let mark = text.firstIndex(of: "="), let format = AnchorFormat(rawValue: String(text[..<mark]))
                else { return nil }
                let path = String(text[text.index(after: mark)...])
                guard !path.isEmpty else { return nil }
                self.init(format: format, path: path)
            }
        }

        /// The attestation formats that have certificates. A maker of security keys must not be able to attest TPMs.
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

    /// The audit log of the server's own security events. Relative paths begin at the home folder.
    public struct AuditSettings: Equatable, Sendable {
        /// The public key of the person who reads the log, 32 bytes (X25519). Nil for a server without an audit log.
        public var reader: [UInt8]?
        /// The origin of the log: its name in checkpoints. Every server of a store has a log of its own.
        public var name: String
        /// The folder of the log.
        public var folder: String
        /// The folder of the current epoch's secret.
        public var secretFolder: String
        /// The folder of the checkpoints that the log has published.
        public var checkpointFolder: String
        /// Whether a new chain of epochs begins if the secret of the last one is lost. The owner's verification reports
        /// that.
        public var replacesLostSecret: Bool
    }

    /// The witness of the logs of others.
    public struct WitnessSettings: Equatable, Sendable {
        /// The path of the file with the public keys of the logs; nil for a server that witnesses no log.
        public var logsPath: String?
        /// The name of the witness in its cosignatures.
        public var name: String
        /// The folder of the checkpoints that it has cosigned. A relative path begins at the home folder.
        public var folder: String
    }

    /// A service that may ask about tokens.
    public struct IntrospectionClient: Equatable, Sendable {
        /// The service's name in `introspection_clients`.
        public var name: String
        /// SHA-256 of the service's secret, which is at least 32 random bytes and cannot be guessed.
        public var secretHash: [UInt8]
    }
}

/// The address to listen on: `host:port`.
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// The address or name of the host.
    public let host: String
    /// The number of the port.
    public let port: Int

    /// Parses a name or an address (an IPv6 address in brackets), a colon and a port; nil for any other text.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            // With port 0 the system would choose the port, and the server's URL, which every token contains, would be
            // unknown.
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

    /// Whether only this machine can reach the address.
    public var isLoopback: Bool { host == "localhost" || ClientAddress(host).isLoopback }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The server's URL, an origin without a path: `https://host[:port]`, or `http://localhost[:port]`.
public struct PublicURL: Equatable, Sendable, CustomStringConvertible {
    /// The scheme: `https`, or `http` for this machine.
    public let scheme: String
    /// The name of the host.
    public let host: String
    /// The port that the text contains; nil for the scheme's default port.
    public let port: Int?

    /// Parses an origin; nil for any other text, and for upper-case letters, a path, a query or a user.
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
            // An origin does not contain the default port (RFC 6454 section 6.2): so one origin has one text.
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

    /// Host and port in the form of a `Host` header.
    package var authority: String { port.map { "\(host):\($0)" } ?? host }

    /// Whether clients reach it by TLS.
    public var isSecure: Bool { scheme == "https" }

    public var description: String { port.map { "\(scheme)://\(host):\($0)" } ?? "\(scheme)://\(host)" }
}

/// The place where the server keeps its data.
public enum StoreLocation: Equatable, Sendable {
    /// A SQLite file; a relative path starts at the home folder.
    case sqlite(path: String)
    /// A connection string of libpq. It is never printed, because it may contain a password.
    case postgreSQL(connection: String, connections: Int)
}
