/// The pins of one host, and what they are for.
public struct HostPins: Equatable, Sendable {
    /// The effects of a certificate without a pinned key.
    public enum Mode: String, Sendable {
        /// The connection is refused.
        case enforce
        /// The connection is used, and reported: to try pins before they are enforced.
        case reportOnly = "report-only"
    }

    /// The actions of a client after the pins of an enforcing entry have expired. An entry that only reports then reports
    /// ``PinReport/Kind/lapsed``.
    public enum AfterExpiry: String, Sendable {
        /// It refuses the connection (fail closed), with ``PinFault/pinsExpired``. The default.
        case refuse
        /// It connects without pins (fail open), for apps that outlive their updates.
        ///
        /// The clock of a device alone does not end the pins, since an attacker or the user may have set it: it counts
        /// if it is at most ``HTTPLimits/believedAdvance`` ahead of the latest authenticated time (``PinTime``), or if
        /// that time is itself past the expiry. Otherwise the pins stay enforced: a server that still has a pinned key
        /// is reached.
        case connect
    }

    /// The errors of an entry.
    public enum Fault: Error, Equatable, Sendable {
        /// The host is not a DNS name or an IP address in its canonical form.
        case host
        /// The list of pins for the keys in use is empty.
        case noPins
        /// The list of backup pins is empty: when the key is lost, the app would be locked out.
        case noBackup
        /// A pin is there twice. A key in use cannot be a backup.
        case repeatedPin
        /// There are too many pins or exclusions.
        case tooMany
        /// An excluded name is not below the host, or the entry has no subdomains.
        case exclusion
    }

    /// The host: a DNS name in lower case, or an IP address in the spelling of ``Origin/host``.
    public let host: String
    /// Whether the entry is also for the names below the host, of any depth. The entry that names more of a host wins.
    public let includesSubdomains: Bool
    /// The names below the host for which the entry is not, nor for the names below them.
    public let exclusions: [String]
    /// The pins of the keys that are in use: the server's, an intermediate's, or a root's.
    public let pins: [Pin]
    /// The pins of keys that are kept apart, for when those in use are lost or replaced.
    public let backups: [Pin]
    /// Seconds since 1970 at which the pins expire; nil for never.
    public let expires: UInt64?
    /// The client's action after that.
    public let afterExpiry: AfterExpiry
    /// The effect of a certificate without a pinned key.
    public let mode: Mode
    /// Whether the host may speak TLS 1.2, for servers without TLS 1.3.
    public let allowsTLS12: Bool

    /// Creates an entry.
    ///
    /// - Throws: ``Fault``.
    public init(
        host: String, pins: [Pin], backups: [Pin], includesSubdomains: Bool = false, exclusions: [String] = [],
        expires: UInt64? = nil, afterExpiry: AfterExpiry = .refuse, mode: Mode = .enforce, allowsTLS12: Bool = false
    ) throws(Fault) {
        guard Origin(host: host)?.host == host else { throw .host }
        guard !pins.isEmpty else { throw .noPins }
        guard !backups.isEmpty else { throw .noBackup }
        guard pins.count <= HTTPLimits.pinsPerHost, backups.count <= HTTPLimits.pinsPerHost,
            exclusions.count <= HTTPLimits.exclusionsPerHost
        else { throw .tooMany }
        guard Set(pins + backups).count == pins.count + backups.count else { throw .repeatedPin }
        let isName = IPAddress(host) == nil
        guard !includesSubdomains || isName else { throw .host }
        guard exclusions.isEmpty || includesSubdomains,
            exclusions.allSatisfy({ Origin(host: $0)?.host == $0 && $0.hasSuffix("." + host) })
        else { throw .exclusion }
        self.host = host
        self.pins = pins
        self.backups = backups
        self.includesSubdomains = includesSubdomains
        self.exclusions = exclusions
        self.expires = expires
        self.afterExpiry = afterExpiry
        self.mode = mode
        self.allowsTLS12 = allowsTLS12
    }

    /// All pins.
    public var all: Set<Pin> { Set(pins + backups) }

    /// Returns whether the entry is for a host.
    func covers(_ name: String) -> Bool {
        if name == host { return true }
        guard includesSubdomains, name.hasSuffix("." + host) else { return false }
        return !exclusions.contains { name == $0 || name.hasSuffix("." + $0) }
    }
}
