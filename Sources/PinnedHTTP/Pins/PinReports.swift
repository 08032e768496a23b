internal import Synchronization

/// A certificate or a policy that an app's publisher wants to know about. It contains no data of a request.
public struct PinReport: Equatable, Sendable {
    /// The kinds of reports.
    public enum Kind: Hashable, Sendable {
        /// No key of the chain is pinned, and the connection was refused.
        case refused
        /// No key of the chain is pinned, and the connection was used: the entry only reports.
        case reported
        /// The pins have expired, and the connection was used without them.
        case lapsed
    }

    /// The host of the connection.
    public let host: String
    /// The kind.
    public let kind: Kind
    /// The pins of the verified chain, the server's first.
    public let served: [Pin]
    /// The pins of the policy.
    public let expected: [Pin]
    /// The number of the policy.
    public let serial: UInt64
}

/// The receiver of reports about pins. A port: this package has no implementation and no default address. An app sends
/// reports over a connection that does not have the same pins.
///
/// A client reports each kind once a day for an entry of the policy.
public protocol PinReports: Sendable {
    /// Receives a report. It must not wait: the connection waits for it.
    func receive(_ report: PinReport)
}

/// The limit of reports: one of each kind for each entry in ``HTTPLimits/reportInterval``.
final class ReportLimit: Sendable {
    private struct Key: Hashable {
        let entry: String
        let kind: PinReport.Kind
    }

    /// The time of the last report. The number of keys is at most the policy's entries times the kinds.
    private let last = Mutex<[Key: UInt64]>([:])

    /// Returns whether a report may be made now, and counts it.
    func allows(_ kind: PinReport.Kind, of entry: HostPins, at now: UInt64) -> Bool {
        last.withLock { last in
            let key = Key(entry: entry.host, kind: kind)
            // A clock that was set back starts a new interval.
            if let before = last[key], now >= before, now - before < HTTPLimits.reportInterval { return false }
            if last.count >= 3 * HTTPLimits.policyHosts { last.removeAll() }
            last[key] = now
            return true
        }
    }
}
