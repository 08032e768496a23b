internal import Synchronization
package import Time

/// Limits how often a log line is written: a line for each request would let a client fill the disk.
package final class RareLine: Sendable {
    private let milliseconds: Int64
    private let last = Mutex<Timestamp?>(nil)

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Returns whether enough time has passed since the last line; if so, this call counts as the next line.
    package func isDue(at now: Timestamp) -> Bool {
        last.withLock { last in
            if let last, abs(now.since(last).milliseconds) < milliseconds { return false }
            last = now
            return true
        }
    }
}
