/// A place that keeps every published checkpoint of logs, away from the logs themselves.
///
/// The owner of a log's signing key has one, which shows that the log was set back or forked; each witness has one.
public protocol CheckpointStore: Sendable {
    /// Returns the note of the largest checkpoint of an origin, of several the one that was kept last; nil without one.
    func last(of origin: String) async throws -> SignedNote?

    /// Keeps a note durably, beside all earlier ones. It becomes the last one, unless the last one is larger.
    ///
    /// - Throws: ``AuditLogError/diskFull`` for a full disk, which the log reports as such; any other error is a failure of
    ///   this store (``AuditLogError/portFailed(_:)``).
    func keep(_ note: SignedNote, of checkpoint: Checkpoint) async throws
}
