internal import Synchronization

/// The backlog of a stream, its reader, and its end.
final class StreamQueue: Sendable {
    private struct State {
        var backlog = StreamBacklog()
        var end: Result<Void, ExchangeError>?
    }

    private let state = Mutex(State())
    private let clock: ExchangeClock
    /// Wakes the reader.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(_ clock: ExchangeClock) {
        self.clock = clock
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of events that wait.
    var count: Int { state.withLock { $0.backlog.count } }

    func add(_ event: StreamEvent) {
        let now = clock.now()
        state.withLock { if $0.end == nil { $0.backlog.add(event, now: now) } }
        signal.yield()
    }

    /// Ends the stream. The reader first gets the events that wait.
    func finish(_ end: Result<Void, ExchangeError>) {
        state.withLock { if $0.end == nil { $0.end = end } }
        signal.yield()
        signal.finish()
    }

    /// Whether the stream has ended.
    var isFinished: Bool { state.withLock { $0.end != nil } }

    /// Takes an event that waits.
    func take() -> StreamEvent? {
        let now = clock.now()
        return state.withLock { $0.backlog.take(now: now) }
    }

    /// The end; nil before it.
    var end: Result<Void, ExchangeError>? { state.withLock { $0.end } }
}
