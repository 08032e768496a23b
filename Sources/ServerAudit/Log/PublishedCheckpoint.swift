package import AuditLog
internal import Synchronization

/// The last checkpoint of the server's log, for everyone who wants to witness it.
package final class PublishedCheckpoint: Sendable {
    private let note = Mutex<SignedNote?>(nil)

    /// The note; nil before the first one.
    package var current: SignedNote? { note.withLock { $0 } }

    /// The number of entries in the checkpoint; nil before the first one.
    package var size: UInt64? { current.flatMap { try? Checkpoint(parsing: $0.text).size } }

    package func set(_ new: SignedNote) { note.withLock { $0 = new } }
}
