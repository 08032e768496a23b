internal import Encoding
internal import Synchronization
public import Time

/// A witness of logs: it cosigns a checkpoint only if it continues the one before (C2SP tlog-witness).
///
/// The server has one for the logs of devices, and a device has one for the server's log. A cosignature states that
/// the witness has seen no other history; two histories of one log that are shown to two honest witnesses are found as
/// soon as a reader asks for the cosignatures of both.
public final class Witness: Sendable {
    private struct Log {
        let key: NoteKey
        /// Checking and storing are one step, also while the store is awaited. Each log has a lock of its own, so that a
        /// store that stalls for one log does not stop the others.
        let lock: AsyncLock
    }

    private let signer: any CheckpointSigner
    private let logs: Mutex<[String: Log]>
    private let store: any CheckpointStore
    private let now: @Sendable () -> Timestamp
    /// The locks of all logs that the witness has known: a log that is removed and added again has its old lock, with
    /// which a request may still be under way.
    private let locks = Mutex<[String: AsyncLock]>([:])

    /// Creates a witness.
    ///
    /// - Parameters:
    ///   - signer: of kind ``NoteKey/Kind/cosignature``. The key must serve no other purpose.
    ///   - logs: the keys of the logs, each with its own origin.
    ///   - store: keeps every checkpoint that is cosigned.
    /// - Throws: ``AuditLogError/outsideLimits`` for a key of the wrong kind, or two keys of one origin.
    public init(
        signer: any CheckpointSigner, logs: [NoteKey], store: any CheckpointStore,
        now: @escaping @Sendable () -> Timestamp
    ) throws(AuditLogError) {
        guard signer.key.kind == .cosignature else { throw .outsideLimits }
        (self.signer, self.store, self.now) = (signer, store, now)
        self.logs = Mutex([:])
        try replaceLogs(with: logs)
    }

    /// The key of the witness.
    public var key: NoteKey { signer.key }

    /// Replaces the logs. Requests that are under way are finished.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` for a key of the wrong kind, or two keys of one origin.
    public func replaceLogs(with keys: [NoteKey]) throws(AuditLogError) {
        guard keys.allSatisfy({ $0.kind == .signature }), Set(keys.map(\.name)).count == keys.count else {
            throw .outsideLimits
        }
        let new = locks.withLock { locks in
            keys.reduce(into: [String: Log]()) { logs, key in
                let lock = locks[key.name] ?? AsyncLock()
                locks[key.name] = lock
                logs[key.name] = Log(key: key, lock: lock)
            }
        }
        logs.withLock { $0 = new }
    }

    /// Returns the key of a log; nil for a log that the witness does not know.
    public func key(of origin: String) -> NoteKey? { logs.withLock { $0[origin]?.key } }

    /// Checks a request, stores its checkpoint durably, and cosigns it.
    public func answer(to request: WitnessRequest) async -> Result<SignedNote.Signature, WitnessRefusal> {
        guard let claimed = try? Checkpoint(parsing: request.checkpoint.text) else { return .failure(.malformed) }
        guard let log = logs.withLock({ $0[claimed.origin] }) else { return .failure(.unknownLog) }
        guard let new = Checkpoint(request.checkpoint, signedBy: log.key) else { return .failure(.notSigned) }
        guard request.old <= new.size else { return .failure(.malformed) }
        await log.lock.lock()
        defer { log.lock.unlock() }
        return await decide(request, new, log.key)
    }

    private func decide(
        _ request: WitnessRequest, _ new: Checkpoint, _ key: NoteKey
    ) async -> Result<SignedNote.Signature, WitnessRefusal> {
        let last: Checkpoint?
        do {
            last = try await store.last(of: new.origin).flatMap { try Checkpoint(parsing: $0.text) }
        } catch {
            // A store that cannot be read must not look like a log that was never seen.
            return .failure(.notStored)
        }
        let (size, root) = (last?.size ?? 0, last?.root ?? .empty)
        guard request.old == size else { return .failure(.otherSize(size)) }
        // Two roots of one size are a conflict, and not a proof that fails: the specification has another status.
        guard new.size > size || new.root == root else { return .failure(.otherRoot(size: size)) }
        guard
            TreeProof.verifies(
                consistencyFrom: size, root: root, to: new.size, root: new.root, proof: request.proof)
        else { return .failure(.inconsistent) }
        do {
            let time = UInt64(clamping: now().seconds)
            let message = Cosignature.message(time: time, text: request.checkpoint.text)
            let signature = SignedNote.Signature(
                by: signer.key, time.bigEndianBytes + (try await signer.sign(message)))
            // Other signatures are not kept: anybody can add them to a note, until it is too long to be read.
            let own = request.checkpoint.signatures.filter { $0.isBy(key) }.prefix(1)
            // The signature leaves this function only once the checkpoint is stored.
            try await store.keep(
                SignedNote(text: request.checkpoint.text, signatures: own + [signature]), of: new)
            return .success(signature)
        } catch {
            return .failure(.notStored)
        }
    }
}
