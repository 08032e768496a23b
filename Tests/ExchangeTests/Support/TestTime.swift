import Exchange
import Synchronization
import Time

/// The time of a test: it moves when a client waits, and when the test says so.
final class TestTime: Sendable {
    private let milliseconds: Mutex<Int64>
    private let running = Mutex<Int64>(5_000)
    private let waited = Mutex<[Int64]>([])

    init(_ milliseconds: Int64 = 1_700_000_000_000) { self.milliseconds = Mutex(milliseconds) }

    var now: Int64 { milliseconds.withLock { $0 } }
    /// The waits of the client in milliseconds, in their order.
    var waits: [Int64] { waited.withLock { $0 } }

    func pass(_ duration: Int64) {
        milliseconds.withLock { $0 += duration }
        running.withLock { $0 += duration }
    }
    func pass(_ duration: Timestamp.Span) { pass(duration.milliseconds) }
    /// Sets the time of day, and not the time that the machine has run.
    func goAhead(_ duration: Int64) { milliseconds.withLock { $0 += duration } }
    func goBack(_ duration: Int64) { milliseconds.withLock { $0 -= duration } }

    var clock: ExchangeClock {
        ExchangeClock(
            now: { Timestamp(milliseconds: self.now) },
            uptime: { Timestamp.Span(milliseconds: self.running.withLock { $0 }) },
            wait: { duration in
                self.waited.withLock { $0.append(duration.milliseconds) }
                self.pass(duration)
                await Task.yield()
            })
    }
}
