internal import Encoding

/// A witness of logs: it cosigns a checkpoint only if it continues the one before (C2SP tlog-witness).
///
/// The server has one for the logs of devices, and a device has one for the server's log. A cosignature states that
/// the witness has seen no other history; two histories of one log that are shown to two honest witnesses are found as
/// soon as a reader asks for the cosignatures of both.
public actor Witness {
    private let signer: any CheckpointSigner
    private let logs: [String: NoteKey]
    private let store: any CheckpointStore
    private let now: @Sendable () -> AuditTime
    /// Checking and storing are one step, also while the store is awaited.
    private let turn = Turn()

    /// Creates a witness.
    ///
    /// - Parameters:
    ///   - signer: of kind ``NoteKey/Kind/cosignature``. The key must serve no other purpose.
    ///   - logs: the keys of the logs, each with its own origin.
    ///   - store: keeps every checkpoint that is cosigned.
    /// - Throws: ``AuditLogError/outsideLimits`` for a key of the wrong kind, or two keys of one origin.
    public init(
        signer: any CheckpointSigner, logs: [NoteKey], store: any CheckpointStore,
        now: @escaping @Sendable () -> AuditTime
    ) throws(AuditLogError) {
        guard signer.key.kind == .cosignature, logs.allSatisfy({ $0.kind == .signature }),
            Set(logs.map(\.name)).count == logs.count
        else { throw .outsideLimits }
        self.signer = signer
        self.logs = Dictionary(uniqueKeysWithValues: logs.map { ($0.name, $0) })
        self.store = store
        self.now = now
    }

    /// Checks a request, stores its checkpoint durably, and cosigns it.
    public func answer(to request: WitnessRequest) async -> Result<SignedNote.Signature, WitnessRefusal> {
        await turn.take()
        defer { turn.pass() }
        return await decide(request)
    }

    private func decide(_ request: WitnessRequest) async -> Result<SignedNote.Signature, WitnessRefusal> {
        guard let claimed = try? Checkpoint(parsing: request.checkpoint.text) else { return .failure(.malformed) }
        guard let key = logs[claimed.origin] else { return .failure(.unknownLog) }
        guard let new = Checkpoint(request.checkpoint, signedBy: key) else { return .failure(.notSigned) }
        guard request.old <= new.size else { return .failure(.malformed) }
        let last: Checkpoint?
        do {
            last = try await store.last(of: new.origin).flatMap { try Checkpoint(parsing: $0.text) }
        } catch {
            // A store that cannot be read must not look like a log that was never seen.
            return .failure(.notStored)
        }
        guard request.old == last?.size ?? 0 else { return .failure(.otherSize(last?.size ?? 0)) }
        guard
            TreeProof.verifies(
                consistencyFrom: request.old, root: last?.root ?? .empty, to: new.size, root: new.root,
                proof: request.proof)
        else { return .failure(.inconsistent) }
        do {
            let time = UInt64(max(0, now().wall / 1_000))
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
