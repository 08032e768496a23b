public import Encoding

/// The request to cosign a checkpoint: the body of `add-checkpoint` (C2SP tlog-witness).
public struct WitnessRequest: Equatable, Sendable {
    /// The size of the tree from which the proof leads.
    public let old: UInt64
    /// The proof of consistency.
    public let proof: [TreeHash]
    /// The checkpoint to cosign.
    public let checkpoint: SignedNote

    /// Creates a request.
    public init(old: UInt64, proof: [TreeHash], checkpoint: SignedNote) {
        self.old = old
        self.proof = proof
        self.checkpoint = checkpoint
    }

    /// Reads the body of a request.
    ///
    /// - Throws: `EncodingError`.
    public init(decoding bytes: [UInt8]) throws(EncodingError) {
        let limit = AuditLimits.witnessRequest
        guard bytes.count <= limit else { throw .tooLong(limit: limit) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unsupported }
        guard let (lines, rest) = ProofLines.split(text), let first = lines.first,
            let old = ProofLines.number(first, after: "old ")
        else { throw .unsupported }
        self.init(
            old: old, proof: try ProofLines.hashes(lines.dropFirst()),
            checkpoint: try SignedNote(decoding: [UInt8](rest.utf8)))
        guard encoded == bytes else { throw .notCanonical }
    }

    /// The body as bytes.
    public var encoded: [UInt8] { [UInt8]("old \(old)\n\(ProofLines.text(proof))\n".utf8) + checkpoint.encoded }
}

/// The reasons why a witness does not cosign, with the status of HTTP for each.
public enum WitnessRefusal: Error, Equatable, Sendable {
    /// The request is not well formed, or its old size is larger than the checkpoint: 400.
    case malformed
    /// No trusted key signed the checkpoint: 403.
    case notSigned
    /// The witness does not know the log: 404.
    case unknownLog
    /// The witness's last checkpoint has this size, not the request's: 409.
    case otherSize(UInt64)
    /// The witness's last checkpoint has the size of this one, and another root: 409, with that size as above.
    case otherRoot(size: UInt64)
    /// The proof does not show that the checkpoint continues the last one of the witness: 422.
    case inconsistent
    /// The witness could not store the checkpoint, so it cosigned nothing: 500.
    case notStored

    /// The status code of HTTP.
    public var status: Int {
        switch self {
        case .malformed: 400
        case .notSigned: 403
        case .unknownLog: 404
        case .otherSize, .otherRoot: 409
        case .inconsistent: 422
        case .notStored: 500
        }
    }
}

/// The connection from a log to a witness.
public protocol WitnessLink: Sendable {
    /// The key whose cosignatures the log accepts.
    var key: NoteKey { get }

    /// Sends a request.
    ///
    /// - Returns: the lines of signatures, or the refusal.
    /// - Throws: `EncodingError` if the answer is not one of the protocol, any other error if there was no answer.
    func answer(to request: WitnessRequest) async throws -> Result<[SignedNote.Signature], WitnessRefusal>
}
