/// The pins of an app's hosts.
///
/// A file of JSON, which an app contains, and which its publisher can replace with a ``SignedPinPolicy``:
///
/// ```json
/// {
///   "format": 1,
///   "serial": 3,
///   "unpinned": "refuse",
///   "hosts": [
///     {
///       "host": "api.example.org",
///       "pins": ["sha256/…="],
///       "backups": ["sha256/…="],
///       "expires": "2027-06-30T00:00:00Z"
///     }
///   ]
/// }
/// ```
///
/// An entry may also have `"subdomains": true`, `"except": ["cdn.api.example.org"]`, `"afterExpiry": "connect"`,
/// `"mode": "report-only"` and `"tls12": true`: see ``HostPins``. Other members are refused.
public struct PinPolicy: Equatable, Sendable {
    /// Whether hosts without pins are reached.
    public enum Unpinned: String, Sendable {
        /// They are reached, with normal validation of their certificates.
        case allow
        /// They are refused, with ``PinFault/noPins``.
        case refuse
    }

    /// The errors of a policy.
    public enum Fault: Error, Equatable, Sendable {
        /// The file is not JSON, or too large.
        case notJSON
        /// A member is missing, or not of its type.
        case member(String)
        /// The policy, or an entry, has a member that the format does not have.
        case unknownMember
        /// The format's number is not 1.
        case format
        /// An entry is invalid.
        ///
        /// - Parameter index: the entry's position, from 0.
        case host(index: Int, HostPins.Fault)
        /// Two entries have one host.
        case repeatedHost
        /// There are too many entries.
        case tooManyHosts
    }

    /// The number of the policy. A client never replaces a policy with one that has a lower or the same number.
    public let serial: UInt64
    /// Whether hosts without pins are reached.
    public let unpinned: Unpinned
    /// The hosts with pins.
    public let hosts: [HostPins]

    /// Creates a policy.
    ///
    /// - Throws: ``Fault``.
    public init(serial: UInt64, unpinned: Unpinned, hosts: [HostPins]) throws(Fault) {
        guard hosts.count <= HTTPLimits.policyHosts else { throw .tooManyHosts }
        guard Set(hosts.map(\.host)).count == hosts.count else { throw .repeatedHost }
        self.serial = serial
        self.unpinned = unpinned
        self.hosts = hosts
    }

    /// A policy without pins: every host is reached with normal validation.
    public static let none = PinPolicy(unchecked: ())

    private init(unchecked: Void) {
        serial = 0
        unpinned = .allow
        hosts = []
    }

    /// Creates a policy with one entry. A connection does not distinguish the pins in use from backups: the first pin
    /// is the one in use.
    ///
    /// - Throws: ``HostPins/Fault`` for fewer than two different pins, or too many.
    package init(host: String, pins: [Pin], unpinned: Unpinned) throws(HostPins.Fault) {
        hosts = [try HostPins(host: host, pins: Array(pins.prefix(1)), backups: Array(pins.dropFirst()))]
        serial = 1
        self.unpinned = unpinned
    }

    /// Returns the entry for a host: its own, or that of the longest name above it which includes subdomains.
    public func entry(for host: String) -> HostPins? {
        hosts.filter { $0.covers(host) }.max { $0.host.utf8.count < $1.host.utf8.count }
    }
}
