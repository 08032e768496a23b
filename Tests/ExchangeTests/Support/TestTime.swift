import Exchange
import Synchronization

/// The time of a test: it moves when a client waits, and when the test says so.
final class TestTime: Sendable {
    private let milliseconds: Mutex<UInt64>
    private let running = Mutex<UInt64>(5_000)
    private let waited = Mutex<[UInt64]>([])

    init(_ milliseconds: UInt64 = 1_700_000_000_000) { self.milliseconds = Mutex(milliseconds) }

    var now: UInt64 { milliseconds.withLock { $0 } }
    /// The waits of the client, in their order.
    var waits: [UInt64] { waited.withLock { $0 } }

    func pass(_ duration: UInt64) {
        milliseconds.withLock { $0 += duration }
        running.withLock { $0 += duration }
    }
    /// Sets the time of day, and not the time that the machine has run.
    func goAhead(_ duration: UInt64) { milliseconds.withLock { $0 += duration } }
    func goBack(_ duration: UInt64) { milliseconds.withLock { $0 -= duration } }

    var clock: ExchangeClock {
        ExchangeClock(
            now: { Moment(milliseconds: self.now) },
            uptime: { self.running.withLock { $0 } },
            wait: { duration in
                self.waited.withLock { $0.append(duration) }
                self.pass(duration)
                await Task.yield()
            })
    }
}
