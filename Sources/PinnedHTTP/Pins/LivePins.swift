internal import Synchronization

/// The pin policy in use. Several clients may share it.
///
/// ```swift
/// let pins = LivePins(try PinPolicy(decoding: file), updatedBy: [key], time: PinTime(latest: stored))
/// try pins.update(SignedPinPolicy(decoding: download))
/// ```
///
/// An app stores the signed file after ``update(_:)``, and gives it to ``update(_:)`` again at its next start: the
/// policy that it contains itself is then the older one.
public final class LivePins: Sendable {
    private let policy: Mutex<PinPolicy>
    private let keys: [PinPolicyKey]
    private let limit = ReportLimit()
    private let reports: (any PinReports)?
    /// The latest authenticated time.
    public let time: PinTime

    /// Starts with a policy.
    ///
    /// - Parameters:
    ///   - keys: the keys that may sign updates; empty for none.
    ///   - time: the latest authenticated time.
    ///   - reports: the receiver of reports; nil for none.
    public init(_ policy: PinPolicy, updatedBy keys: [PinPolicyKey], time: PinTime, reports: (any PinReports)? = nil) {
        self.policy = Mutex(policy)
        self.keys = keys
        self.time = time
        self.reports = reports
    }

    /// The policy in use.
    public var current: PinPolicy { policy.withLock { $0 } }

    /// Replaces the policy. Later requests use new connections, and a stream ends its present one at its next ping.
    ///
    /// - Throws: ``SignedPinPolicy/Fault``; the policy stays.
    public func update(_ signed: SignedPinPolicy) throws(SignedPinPolicy.Fault) {
        let result = policy.withLock { current in
            Result { () throws(SignedPinPolicy.Fault) in
                current = try signed.verified(by: keys, replacing: current)
            }
        }
        try result.get()
    }

    func report(_ kind: PinReport.Kind, _ host: String, _ entry: HostPins, served: [Pin], at now: UInt64) {
        guard let reports, limit.allows(kind, of: entry, at: now) else { return }
        reports.receive(
            PinReport(
                host: host, kind: kind, served: served, expected: entry.pins + entry.backups, serial: current.serial))
    }
}
