/// Entries that became durable together: what a sink gets.
public struct SinkBatch: Sendable {
    /// The sequence number of the first entry.
    public let first: UInt64
    /// The sealed entries.
    public let entries: [[UInt8]]
    /// The size of the log after them.
    public let size: UInt64
    /// The root of the log after them.
    public let root: TreeHash
}

/// A second place for the sealed entries, such as a server.
///
/// A sink gets every batch once, in order. It never delays the log itself: only ``AuditLog/admit(_:)`` waits for
/// required sinks.
public protocol AuditSink: Sendable {
    /// Takes a batch. When it returns, the sink has it durably.
    func accept(_ batch: SinkBatch) async throws
}
