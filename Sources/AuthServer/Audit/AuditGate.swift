internal import AuthAPI
internal import Synchronization

/// The decision whether a change may be made that has to be logged.
///
/// The gate is shut while the log does not take events, while too many of them wait, and while one has waited too long.
/// It opens as soon as the log has taken them. It asks neither the store nor the disk.
final class AuditGate: Sendable {
    private struct State {
        /// The reason why the last attempt to write the log failed; nil after a success.
        var fault: AuditFault?
        /// The number of events that were noted so far. Some of their transactions may have been rolled back.
        var noted: UInt64 = 0
        /// The number of them that the log has, or that were not committed.
        var settled: UInt64 = 0
        /// The time since which an event waits, in milliseconds of the uptime; nil without one.
        var since: UInt64?
        var refusals: RateLimits.Bucket?
        var omitted = 0
        var allOmitted = 0
    }

    /// The number of events noted when the queue was read, and the time.
    struct Mark: Sendable {
        fileprivate let noted: UInt64
        fileprivate let at: UInt64
    }

    private let backlog: UInt64
    private let delay: UInt64
    private let uptime: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - backlog: the number of events that may wait.
    ///   - delay: the milliseconds that an event may wait.
    ///   - uptime: returns milliseconds of a clock that does not go back.
    init(
        backlog: Int = Limits.auditBacklog, delay: UInt64 = Limits.auditDelayMilliseconds,
        uptime: @escaping @Sendable () -> UInt64
    ) {
        (self.backlog, self.delay, self.uptime) = (UInt64(backlog), delay, uptime)
    }

    /// The reason why the gate is shut; nil while it is open.
    var fault: AuditFault? { state.withLock { fault(of: $0) } }

    /// The number of events that wait, and the milliseconds since which the first of them waits.
    var waiting: (count: Int, milliseconds: UInt64) {
        let now = uptime()
        return state.withLock { state in
            (Int(clamping: state.noted &- state.settled), state.since.map { now &- min($0, now) } ?? 0)
        }
    }

    /// The number of refused attempts that were not logged, since the start.
    var omittedSinceStart: Int { state.withLock { $0.allOmitted } }

    private func fault(of state: State) -> AuditFault? {
        if let fault = state.fault { return fault }
        if state.noted &- state.settled >= backlog { return .backlog }
        if let since = state.since {
            let now = uptime()
            if now > since, now - since > delay { return .delay }
        }
        return nil
    }

    /// Throws the reason if the gate is shut.
    func require() throws(AuditFault) {
        if let fault { throw fault }
    }

    /// Counts an event that begins to wait.
    ///
    /// - Throws: the reason if the gate is shut: the change must not be made.
    func enter() throws(AuditFault) {
        let fault = state.withLock { state -> AuditFault? in
            if let fault = self.fault(of: state) { return fault }
            state.noted += 1
            if state.since == nil { state.since = uptime() }
            return nil
        }
        if let fault { throw fault }
    }

    /// Returns whether the log takes one more refused attempt of a stranger. An attempt that it does not take is
    /// counted, and the count is logged later: so strangers can neither fill the disk of the log nor hide other events.
    func takesRefusal(at now: Timestamp) -> Bool {
        state.withLock { state in
            let (outcome, bucket) = RateLimits.take(from: state.refusals, Limits.auditedRefusals.rate, at: now)
            state.refusals = bucket
            guard outcome.wait != nil else { return true }
            state.omitted += 1
            state.allOmitted += 1
            return false
        }
    }

    /// Returns the number of attempts that were omitted since the last call.
    func takeOmitted() -> Int {
        state.withLock { state in
            defer { state.omitted = 0 }
            return state.omitted
        }
    }

    /// Counts attempts as omitted again whose number could not be logged.
    func giveBack(omitted count: Int) { state.withLock { $0.omitted += count } }

    // MARK: The copying of events

    /// Returns a mark for ``settle(_:)``, before the queue is read.
    func mark() -> Mark {
        let now = uptime()
        return state.withLock { Mark(noted: $0.noted, at: now) }
    }

    /// Notes that the queue was empty when it was read: every event before is in the log, or was not committed, or is in
    /// a transaction that has not ended.
    func settle(_ mark: Mark) {
        state.withLock { state in
            state.settled = max(state.settled, mark.noted)
            state.since = state.settled == state.noted ? nil : mark.at
        }
    }

    /// Shuts the gate. Returns whether the reason is a new one.
    func shut(_ fault: AuditFault) -> Bool {
        state.withLock { state in
            defer { state.fault = fault }
            return state.fault != fault
        }
    }

    /// Opens the gate, unless too many events wait. Returns the reason why it was shut.
    func open() -> AuditFault? {
        state.withLock { state in
            defer { state.fault = nil }
            return state.fault
        }
    }
}
