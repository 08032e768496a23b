/// The requirement of a policy for a connection at a time.
enum PinDecision: Equatable, Sendable {
    /// Normal validation, without pins.
    case unpinned
    /// Pins that have expired, and whose policy is to connect then.
    case lapsed(HostPins)
    /// One of the entry's pins, or a report.
    case pinned(HostPins)
    /// No connection.
    case refused(PinFault)

    /// Decides about a host.
    ///
    /// - Parameters:
    ///   - clock: the device's time in seconds since 1970.
    ///   - authenticated: ``PinTime/latest``.
    init(for host: String, by policy: PinPolicy, clock: UInt64, authenticated: UInt64) {
        guard let entry = policy.entry(for: host) else {
            self = policy.unpinned == .allow ? .unpinned : .refused(.noPins)
            return
        }
        // The later of the two: a clock that was set back does not revive expired pins.
        guard let expires = entry.expires, max(clock, authenticated) >= expires else {
            self = .pinned(entry)
            return
        }
        // An entry that only reports refuses nothing, at any time.
        guard entry.mode == .enforce else {
            self = .lapsed(entry)
            return
        }
        switch entry.afterExpiry {
        case .refuse: self = .refused(.pinsExpired)
        case .connect:
            // A clock that is far ahead of everything that a pinned server has said may have been set forward to end the
            // pins (okhttp#3010): they stay in force.
            let isBelieved = authenticated >= expires || clock <= authenticated &+ HTTPLimits.believedAdvance
            self = isBelieved ? .lapsed(entry) : .pinned(entry)
        }
    }

    /// Whether a connection that was made under an earlier decision may still be used.
    func allows(_ chain: VerifiedChain?) -> Bool {
        switch self {
        case .unpinned, .lapsed: true
        case .pinned(let entry): entry.mode == .reportOnly || chain?.isPinned == true
        case .refused: false
        }
    }
}
