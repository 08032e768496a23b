internal import AuthAPI
internal import Synchronization

/// Sessions that the store's limit has told to wait, and until when: in memory, so that a client that goes on asking costs the
/// store nothing, and the server one signature less.
final class Pauses: Sendable {
    private let ends: Mutex<BoundedTable<SessionID, Timestamp>>

    /// - Parameter capacity: how many sessions are remembered. One that is forgotten asks the store again.
    init(capacity: Int = Limits.pausedSessions) { ends = Mutex(BoundedTable(capacity: capacity)) }

    /// Returns how long a session has to wait; nil if it need not.
    func wait(for session: SessionID, at now: Timestamp) -> Timestamp.Span? {
        guard let end = ends.withLock({ $0.value(of: session) }), now < end else { return nil }
        return end.since(now)
    }

    func pause(_ session: SessionID, until end: Timestamp) { ends.withLock { $0.set(end, for: session) } }
}
