internal import AuthAPI
internal import Synchronization

/// Says when a line of the log is due again: not with each request, which whoever sends them could fill a disk with.
final class RareLine: Sendable {
    private let milliseconds: Int64
    private let last = Mutex<Timestamp?>(nil)

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Whether the last line is so long ago; then this is the next one.
    func isDue(at now: Timestamp) -> Bool {
        last.withLock { last in
            if let last, abs(now.since(last).milliseconds) < milliseconds { return false }
            last = now
            return true
        }
    }
}
