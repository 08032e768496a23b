internal import Synchronization

/// The way to one sink: a queue, and a task that empties it.
final class SinkFeed: Sendable {
    private enum Status {
        case running
        case failed
        case removed
    }

    private struct State {
        var status = Status.running
        var queue: [SinkBatch] = []
        var queuedEntries = 0
        /// The size of the log from which on the sink gets it.
        var begin: UInt64 = 0
        /// The size up to which the sink has the log.
        var taken: UInt64 = 0
        var worker: CheckedContinuation<SinkBatch?, Never>?
        var waiting: [(size: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    let name: AuditIdentifier
    let isRequired: Bool
    private let sink: any AuditSink
    private let deadline: Duration
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    init(
        _ sink: any AuditSink, name: AuditIdentifier, isRequired: Bool, deadline: Duration,
        clock: any Clock<Duration>
    ) {
        (self.sink, self.name, self.isRequired) = (sink, name, isRequired)
        (self.deadline, self.clock) = (deadline, clock)
    }

    /// Delivers batches until the sink fails or is removed. Those that were offered before are in the queue already.
    ///
    /// - Parameters:
    ///   - size: the size of the log from which on the sink gets it.
    ///   - failed: is called once if the sink fails.
    func run(from size: UInt64, failed: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.begin = size
            state.queue.removeAll { $0.first < size }
            state.queuedEntries = state.queue.reduce(0) { $0 + $1.entries.count }
        }
        taken(through: size)
        Task {
            while let batch = await next() {
                guard await deliver(batch) else {
                    if end(as: .failed) { await failed() }
                    return
                }
                taken(through: batch.size)
            }
        }
    }

    /// Queues a batch. It never waits.
    ///
    /// - Returns: false if the sink is too far behind, and failed because of it.
    func offer(_ batch: SinkBatch) -> Bool {
        let (worker, isTooFar) = state.withLock { state -> (CheckedContinuation<SinkBatch?, Never>?, Bool) in
            guard state.status == .running, batch.first >= state.begin else { return (nil, false) }
            if let worker = state.worker {
                state.worker = nil
                return (worker, false)
            }
            let entries = state.queuedEntries + batch.entries.count
            guard state.queue.count < AuditLimits.sinkBacklog, entries <= AuditLimits.sinkBacklogEntries else {
                return (nil, true)
            }
            state.queue.append(batch)
            state.queuedEntries = entries
            return (nil, false)
        }
        worker?.resume(returning: batch)
        return !(isTooFar && end(as: .failed))
    }

    /// Waits until the sink has the log up to a size.
    ///
    /// - Returns: false if it failed. True also if it was removed: then nothing depends on it.
    func hasTaken(through size: UInt64) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                switch state.status {
                case .removed: return true
                case .failed: return state.taken >= size
                case .running:
                    if state.taken >= size { return true }
                    state.waiting.append((size, continuation))
                    return nil
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Ends the feed at once, whatever the sink does.
    func remove() { _ = end(as: .removed) }

    private func next() async -> SinkBatch? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> SinkBatch?? in
                guard state.status == .running else { return .some(nil) }
                if !state.queue.isEmpty {
                    let batch = state.queue.removeFirst()
                    state.queuedEntries -= batch.entries.count
                    return batch
                }
                state.worker = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Gives one batch to the sink, and waits for the deadline at most. A sink that ignores its cancellation is left
    /// behind, not waited for.
    private func deliver(_ batch: SinkBatch) async -> Bool {
        let race = Race()
        return await withCheckedContinuation { continuation in
            race.begin(continuation)
            let work = Task { [sink] in
                do {
                    try await sink.accept(batch)
                    race.end(true)
                } catch {
                    race.end(false)
                }
            }
            let timer = Task { [clock, deadline] in
                try? await clock.sleep(for: deadline)
                race.end(false)
            }
            race.cancelAtEnd([work, timer])
        }
    }

    private func taken(through size: UInt64) {
        let done = state.withLock { state in
            state.taken = max(state.taken, size)
            let done = state.waiting.filter { $0.size <= size }
            state.waiting.removeAll { $0.size <= size }
            return done
        }
        for waiter in done { waiter.continuation.resume(returning: true) }
    }

    /// Returns whether this call ended the feed.
    private func end(as status: Status) -> Bool {
        let ended = state.withLock { state -> State? in
            // A failed sink can still be removed.
            guard state.status == .running || (state.status == .failed && status == .removed) else { return nil }
            let before = state
            state.status = status
            (state.queue, state.worker, state.waiting) = ([], nil, [])
            return before
        }
        guard let ended else { return false }
        ended.worker?.resume(returning: nil)
        for waiter in ended.waiting { waiter.continuation.resume(returning: status == .removed) }
        return true
    }
}

/// One answer from several tasks: the first counts, and the others are cancelled.
private final class Race: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Bool, Never>?
        var tasks: [Task<Void, Never>] = []
        var isOver = false
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Bool, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    func cancelAtEnd(_ tasks: [Task<Void, Never>]) {
        let isOver = state.withLock { state in
            state.tasks = tasks
            return state.isOver
        }
        if isOver { for task in tasks { task.cancel() } }
    }

    func end(_ answer: Bool) {
        let (continuation, tasks) = state.withLock { state in
            let before = (state.continuation, state.tasks)
            state.continuation = nil
            state.isOver = true
            return before
        }
        continuation?.resume(returning: answer)
        for task in tasks { task.cancel() }
    }
}
