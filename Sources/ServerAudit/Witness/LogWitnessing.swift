package import AuditLog
package import AuthAPI
package import SQLStore
internal import ServerHTTP
internal import Synchronization
package import Time

/// The witness of the logs of others, for example of people's devices: it cosigns a checkpoint that continues the one
/// before.
package final class LogWitnessing: Sendable {
    private let witness: Witness
    private let store: WitnessedCheckpoints
    private let answered = Mutex<[String: Answered]>([:])
    private let clock: @Sendable () -> Timestamp

    /// A checkpoint that was just cosigned. Repeated requests for it get the same signature, and cost the disk nothing.
    private struct Answered {
        let text: String
        let size: UInt64
        let line: String
        let at: Timestamp
    }

    /// Creates a witness.
    ///
    /// - Parameters:
    ///   - signer: the key of the witness, with its name.
    ///   - folder: the folder of all cosigned checkpoints.
    /// - Throws: ``AuditLog/AuditLogError`` if the folder cannot be used.
    package init(
        by signer: Ed25519Signer, logs: [NoteKey], folder: String, database: any Database,
        clock: @escaping @Sendable () -> Timestamp
    ) throws(AuditLogError) {
        store = WitnessedCheckpoints(
            witness: signer.key.name, folder: try CheckpointFolder(at: folder, apartFrom: nil), database: database,
            clock: clock)
        self.clock = clock
        witness = try Witness(signer: signer, logs: logs, store: store, now: clock)
    }

    /// The witness's public key.
    package var key: NoteKey { witness.key }

    /// Replaces the logs.
    package func replaceLogs(with logs: [NoteKey]) throws(AuditLogError) { try witness.replaceLogs(with: logs) }

    /// Returns the line of the cosignature, or the refusal.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/rateLimited`` for a log that makes checkpoints too fast.
    package func answer(to body: [UInt8]) async throws(Problem) -> Result<String, WitnessRefusal> {
        guard let request = try? WitnessRequest(decoding: body),
            let claimed = try? Checkpoint(parsing: request.checkpoint.text)
        else { return .failure(.malformed) }
        guard let key = witness.key(of: claimed.origin) else { return .failure(.unknownLog) }
        guard Checkpoint(request.checkpoint, signedBy: key) != nil else { return .failure(.notSigned) }
        if let line = recent(request, claimed) { return .success(line) }
        // Only a checkpoint that the log's key has signed gets this far, and only a new one is counted: a stranger who
        // repeats requests takes nothing from the log.
        if let wait = store.wait(for: claimed.origin) {
            throw Problem(.rateLimited, retryAfter: wait.wholeSeconds, limit: "checkpoints")
        }
        switch await witness.answer(to: request) {
        case .success(let signature):
            let now = clock()
            answered.withLock {
                $0[claimed.origin] = Answered(
                    text: request.checkpoint.text, size: claimed.size, line: signature.line, at: now)
            }
            return .success(signature.line)
        case .failure(let refusal): return .failure(refusal)
        }
    }

    private func recent(_ request: WitnessRequest, _ claimed: Checkpoint) -> String? {
        let now = clock()
        return answered.withLock { answered in
            guard let last = answered[claimed.origin], last.text == request.checkpoint.text,
                request.old == last.size, request.proof.isEmpty,
                (.zero...ServerAuditLimits.cosignatureAge).contains(now.since(last.at))
            else { return nil }
            return last.line
        }
    }
}
