internal import AuthAPI
internal import ServerHTTP
internal import Synchronization
internal import Time

/// The sessions that the store's limit refused, with the end of their waiting times. They are in memory: a client that
/// keeps asking causes no work for the store, and saves the server a signature verification.
final class Pauses: Sendable {
    private let ends: Mutex<BoundedTable<SessionID, Timestamp>>

    /// - Parameter capacity: the number of sessions that are remembered. A forgotten session asks the store again.
    init(capacity: Int = Limits.pausedSessions) { ends = Mutex(BoundedTable(capacity: capacity)) }

    /// Returns how long a session has to wait; nil if it may continue.
    func wait(for session: SessionID, at now: Timestamp) -> Timestamp.Span? {
        guard let end = ends.withLock({ $0.value(of: session) }), now < end else { return nil }
        return end.since(now)
    }

    func pause(_ session: SessionID, until end: Timestamp) { ends.withLock { $0.set(end, for: session) } }
}
