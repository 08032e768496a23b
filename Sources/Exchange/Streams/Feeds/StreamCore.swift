internal import ExchangeCredentials
internal import PinnedWebSockets
internal import Synchronization

/// The running parts of a stream: the reading of its feeds, the notes in the journal, and the queries after a gap.
final class StreamCore: Sendable {
    /// A feed that is read.
    struct Feed: Sendable {
        let feed: StreamFeed
        let connection: FeedConnection
        let reader: FeedReader
        /// Takes the reason for which a subscription was last refused.
        let problem: @Sendable () -> ExchangeError?
    }

    let queue: StreamQueue
    private let feeds: [Feed]
    private let clock: ExchangeClock
    private let journal: StreamJournal?
    private let tasks = Mutex<[Task<Void, Never>]>([])
    /// Whether a query of the orders is running, and whether another one is wanted after it.
    private let lookups = Mutex<(isRunning: Bool, isWanted: Bool)>((false, false))

    init(_ feeds: [Feed], clock: ExchangeClock, journal: StreamJournal?) {
        self.feeds = feeds
        self.clock = clock
        self.journal = journal
        queue = StreamQueue(clock)
    }

    func start() {
        for feed in feeds { run { core in await core.read(feed) } }
    }

    /// Ends the stream at once.
    func cancel() {
        queue.finish(.success(()))
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    /// Ends the stream, and closes its connections.
    func close() async {
        await withTaskGroup { group in
            for feed in feeds { group.addTask { await feed.connection.close() } }
        }
        cancel()
    }

    /// Takes an event that waits. After a gap of the orders they are looked up.
    func take() -> StreamEvent? {
        let event = queue.take()
        if case .gap(let gap) = event, gap.feed == .orders { lookUp() }
        return event
    }

    // MARK: Reading

    private func run(_ body: @escaping @Sendable (StreamCore) async -> Void) {
        let task = Task { await body(self) }
        tasks.withLock { $0.append(task) }
    }

    private func read(_ feed: Feed) async {
        var reader = feed.reader
        var wasReplaced = false
        do throws(WebSocketFailure) {
            while !queue.isFinished, let event = try await feed.connection.next() {
                for event in reader.read(event, now: clock.now()) {
                    guard await add(event, of: feed) else { break }
                }
                if case .replacementFailed = event, reader.needsReplacement { wasReplaced = false }
                if reader.needsReplacement, !wasReplaced {
                    if case .replacementFailed = event { await clock.wait(ExchangeLimits.streamReplacementPause) }
                    feed.connection.replace()
                }
                wasReplaced = reader.needsReplacement
            }
            queue.finish(.success(()))
        } catch { queue.finish(.failure(feed.problem() ?? ExchangeError(error))) }
        // One feed without the other would look like a quiet market or account.
        for other in feeds where other.feed != feed.feed { await other.connection.close() }
    }

    /// Adds an event. Returns false if the stream ends because of it.
    private func add(_ event: StreamEvent, of feed: Feed) async -> Bool {
        switch event {
        case .order(let report, _):
            let note = await journal?.note(report) ?? .foreign
            queue.add(.order(report, note))
            // A connection that was made with the key would go on after the key was revoked.
            if case .failed(let error) = note, error == .credential(.revoked) || error == .credential(.noKey) {
                queue.finish(.failure(error))
                return false
            }
        case .waiting(let feedName, let error, let pause):
            queue.add(.waiting(feedName, feed.problem() ?? error, pause: pause))
        default: queue.add(event)
        }
        return true
    }

    // MARK: Queries after a gap

    private func lookUp() {
        let isFree = lookups.withLock { state in
            state.isWanted = state.isRunning
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFree, let journal else { return }
        run { core in
            repeat {
                await journal.lookUp { core.queue.add($0) }
            } while core.lookups.withLock { state in
                defer { (state.isRunning, state.isWanted) = (state.isWanted, false) }
                return state.isWanted
            }
        }
    }
}
