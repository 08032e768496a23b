internal import Synchronization
internal import Time

/// The decision whether a change may be made that has to be logged.
///
/// The gate is shut while the log does not take events, while too many of them wait, and while one has waited too long.
/// It opens as soon as the log has taken them. It asks neither the store nor the disk.
///
/// It keeps every event of this process until the log has it. So an event that was removed from the queue or changed in
/// it is noticed and logged anyway; then the gate is shut until the server is started again.
final class AuditGate: Sendable {
    private struct State {
        /// The reason why the last attempt to write the log failed; nil after a success.
        var fault: AuditFault?
        /// Whether an event was removed from the queue, or changed in it, before the log had it.
        var queueWasChanged = false
        /// The events that the log does not have, by their ids.
        var waiting: [[UInt8]: Waiting] = [:]
        /// The uptime since which a committed event waits; nil without one.
        var since: Timestamp.Span?
        /// The number of rows in the queue that no server can read.
        var unreadable = 0
        var refusals: TokenBucket?
        var omitted = 0
        var allOmitted = 0
    }

    /// An event that the log does not have.
    private struct Waiting {
        enum Outcome {
            /// The transaction has not ended.
            case open
            /// The transaction was committed at this uptime.
            case committed(Timestamp.Span)
            /// The connection was lost during the commit.
            case unknown
        }

        let row: AuditQueueRow
        var outcome = Outcome.open

        var committedAt: Timestamp.Span? { if case .committed(let time) = outcome { time } else { nil } }
    }

    /// The events whose transactions had ended when the queue was read.
    struct Mark: Sendable {
        fileprivate let committed: [[UInt8]]
        fileprivate let unknown: [[UInt8]]
    }

    /// An event that the store had committed, and that was not in the queue.
    struct Missing: Sendable {
        let row: AuditQueueRow
        /// The time since its commit.
        let age: Timestamp.Span
    }

    private let backlog: Int
    private let delay: Timestamp.Span
    private let uptime: @Sendable () -> Timestamp.Span
    private let state = Mutex(State())

    /// - Parameters:
    ///   - backlog: the number of events that may wait.
    ///   - delay: the time that an event may wait.
    ///   - uptime: reads a clock that does not go back.
    init(
        backlog: Int = ServerAuditLimits.backlog, delay: Timestamp.Span = ServerAuditLimits.delay,
        uptime: @escaping @Sendable () -> Timestamp.Span
    ) {
        (self.backlog, self.delay, self.uptime) = (backlog, delay, uptime)
    }

    /// The reason why the gate is shut; nil while it is open.
    var fault: AuditFault? { state.withLock { fault(of: $0) } }

    /// The number of events that wait, and the time since which the first of them waits.
    var waiting: (count: Int, time: Timestamp.Span) {
        let now = uptime()
        return state.withLock { state in
            (state.waiting.count, state.since.map { now - min($0, now) } ?? .zero)
        }
    }

    /// The number of refused attempts that were not logged, since the start.
    var omittedSinceStart: Int { state.withLock { $0.allOmitted } }

    /// The number of rows in the queue that no server can read.
    var unreadable: Int { state.withLock { $0.unreadable } }

    private func fault(of state: State) -> AuditFault? {
        if let fault = state.fault { return fault }
        if state.queueWasChanged { return .queueChanged }
        if state.waiting.count >= backlog { return .backlog }
        if let since = state.since, uptime() - since > delay { return .delay }
        return nil
    }

    /// Throws the reason if the gate is shut.
    func require() throws(AuditFault) {
        if let fault { throw fault }
    }

    /// Keeps an event that begins to wait.
    ///
    /// - Throws: the reason if the gate is shut: the change must not be made.
    func enter(_ row: AuditQueueRow) throws(AuditFault) {
        let fault = state.withLock { state -> AuditFault? in
            if let fault = self.fault(of: state) { return fault }
            state.waiting[row.id] = Waiting(row: row)
            return nil
        }
        if let fault { throw fault }
    }

    /// Notes that the transactions of events were committed.
    func commit(_ ids: [[UInt8]]) {
        guard !ids.isEmpty else { return }
        let now = uptime()
        state.withLock { state in
            for id in ids where state.waiting[id] != nil {
                state.waiting[id]?.outcome = .committed(now)
                if state.since == nil { state.since = now }
            }
        }
    }

    /// Notes that it is not known whether the transactions of events were committed: the next reading of the queue
    /// tells.
    func lose(_ ids: [[UInt8]]) {
        state.withLock { state in for id in ids { state.waiting[id]?.outcome = .unknown } }
    }

    /// Forgets events: the log has them, or their transactions were rolled back.
    func remove(_ ids: some Collection<[UInt8]>) {
        guard !ids.isEmpty else { return }
        state.withLock { state in
            for id in ids { state.waiting[id] = nil }
            state.since = state.waiting.values.lazy.compactMap(\.committedAt).min()
        }
    }

    /// Returns whether the log takes one more refused attempt of a stranger. An attempt that it does not take is
    /// counted, and the count is logged later: so strangers can neither fill the disk of the log nor hide other events.
    func takesRefusal(at now: Timestamp) -> Bool {
        state.withLock { state in
            let (outcome, bucket) = TokenBucket.take(from: state.refusals, ServerAuditLimits.refusals, at: now)
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

    /// Returns a mark for ``missing(_:)``, before the queue is read.
    func mark() -> Mark {
        state.withLock { state in
            var (committed, unknown): ([[UInt8]], [[UInt8]]) = ([], [])
            for (id, event) in state.waiting {
                switch event.outcome {
                case .open: continue
                case .committed: committed.append(id)
                case .unknown: unknown.append(id)
                }
            }
            return Mark(committed: committed, unknown: unknown)
        }
    }

    /// Returns an event of this process that the log does not have; nil for every other.
    func event(_ id: [UInt8]) -> [UInt8]? { state.withLock { $0.waiting[id]?.row.event } }

    /// Returns the events of a mark that were not in the queue, which was read to its end since. Those whose
    /// transactions had an unknown outcome were not committed, and are forgotten.
    func missing(_ mark: Mark) -> [Missing] {
        remove(mark.unknown)
        let now = uptime()
        return state.withLock { state in
            mark.committed.compactMap { id in
                guard let event = state.waiting[id], let time = event.committedAt else { return nil }
                return Missing(row: event.row, age: now - min(time, now))
            }.sorted { $0.row.position < $1.row.position }
        }
    }

    /// Sets the number of rows in the queue that no server can read.
    func setUnreadable(_ count: Int) { state.withLock { $0.unreadable = count } }

    /// Shuts the gate until the server is started again, because the queue was changed. Returns whether it is news.
    func shutForChangedQueue() -> Bool {
        state.withLock { state in
            defer { state.queueWasChanged = true }
            return !state.queueWasChanged
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
