internal import AuditLog
internal import Crypto
internal import SQLStore
internal import ServerHTTP
internal import Synchronization
internal import Time

/// The checkpoints that the witness has cosigned: every one in a folder, and the last one of each log in the store.
///
/// The store decides which checkpoint is the last one. Replicas are one witness, with one key: a replica that has not
/// seen what another one cosigned must not cosign something else.
final class WitnessedCheckpoints: CheckpointStore {
    private let witness: String
    private let folder: CheckpointFolder
    private let database: any Database
    private let clock: @Sendable () -> Timestamp
    private let rates = MemoryBuckets<String>(capacity: ServerAuditLimits.witnessedLogs)
    private let state = Mutex(State())

    private struct State {
        /// The state in the store when ``last(of:)`` read it, by origin.
        var read: [String: LogStateRow?] = [:]
        /// The number of files, by origin.
        var counts: [String: Int] = [:]
    }

    init(
        witness: String, folder: CheckpointFolder, database: any Database, clock: @escaping @Sendable () -> Timestamp
    ) {
        (self.witness, self.folder, self.database, self.clock) = (witness, folder, database, clock)
    }

    /// Returns how long a log has to wait before its next checkpoint; nil if it need not wait.
    func wait(for origin: String) -> Timestamp.Span? {
        rates.wait(for: [.init(subject: origin, rate: ServerAuditLimits.witnessedRate)], at: clock())
    }

    func last(of origin: String) async throws -> SignedNote? {
        let number = number(of: origin)
        let row = try await database.read { try LogStates.find(number, in: $0) }
        state.withLock { $0.read[origin] = .some(row) }
        let inFolder = try folder.last(of: origin)
        guard let row else { return inFolder }
        guard let bytes = row.note, let inStore = try? SignedNote(decoding: bytes) else {
            throw AuditLogError.portFailed(.checkpoints)
        }
        // A store that was restored from a copy is behind the folder.
        let size = try inFolder.map { try Checkpoint(parsing: $0.text).size } ?? 0
        return size > UInt64(clamping: row.size) ? inFolder : inStore
    }

    func keep(_ note: SignedNote, of checkpoint: Checkpoint) async throws {
        let origin = checkpoint.origin
        guard let old = state.withLock({ $0.read[origin] }) else { throw AuditLogError.portFailed(.checkpoints) }
        let new = LogStateRow(size: Int64(clamping: checkpoint.size), root: checkpoint.root.bytes, note: note.encoded)
        let isNew = old?.size != new.size || old?.root != new.root
        if isNew { try takePlace(of: origin) }
        let number = number(of: origin)
        let isLast = try await database.write { try LogStates.replace(number, old, with: new, in: $0) }
        guard isLast else { throw AuditLogError.portFailed(.checkpoints) }
        try folder.keep(note, of: checkpoint)
        guard isNew else { return }
        state.withLock { $0.counts[origin, default: 0] += 1 }
        rates.drain([.init(subject: origin, rate: ServerAuditLimits.witnessedRate)], at: clock())
    }

    /// Checks that the folder has a place for one more checkpoint of a log.
    private func takePlace(of origin: String) throws {
        let count = try state.withLock { $0.counts[origin] } ?? folder.count(of: origin)
        state.withLock { $0.counts[origin] = count }
        guard count < ServerAuditLimits.witnessedCheckpoints else { throw AuditLogError.outsideLimits }
    }

    private func number(of origin: String) -> [UInt8] {
        Array(SHA256.hash(data: Array("fuekid witnessed log\0\(witness)\0\(origin)".utf8)))
    }
}
