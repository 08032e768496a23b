public import Encoding

extension WitnessRequest {
    /// Reads the answer of a witness over HTTP (C2SP tlog-witness).
    ///
    /// A conflict is always read as ``WitnessRefusal/otherSize(_:)``: whether that is the size of the request, so that
    /// the roots differ, the caller sees.
    ///
    /// - Parameters:
    ///   - status: the status code.
    ///   - body: the lines of signatures with status 200, the size of the witness's last checkpoint with 409.
    /// - Throws: `EncodingError` for an answer that the protocol does not have.
    public static func answer(
        status: Int, body: [UInt8]
    ) throws(EncodingError) -> Result<[SignedNote.Signature], WitnessRefusal> {
        guard body.count <= AuditLimits.note else { throw .tooLong(limit: AuditLimits.note) }
        switch status {
        case 200:
            guard let text = String(validating: body, as: UTF8.self), text.hasSuffix("\n") else { throw .unsupported }
            let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.count <= AuditLimits.signatures else { throw .tooLong(limit: AuditLimits.signatures) }
            var signatures: [SignedNote.Signature] = []
            for line in lines { signatures.append(try SignedNote.Signature(line: line)) }
            return .success(signatures)
        case 409:
            guard let text = String(validating: body, as: UTF8.self), text.hasSuffix("\n"),
                let size = ProofLines.number(String(text.dropLast()), after: ""), size <= AuditLimits.size
            else { throw .unsupported }
            return .failure(.otherSize(size))
        case WitnessRefusal.malformed.status: return .failure(.malformed)
        case WitnessRefusal.notSigned.status: return .failure(.notSigned)
        case WitnessRefusal.unknownLog.status: return .failure(.unknownLog)
        case WitnessRefusal.inconsistent.status: return .failure(.inconsistent)
        case WitnessRefusal.notStored.status: return .failure(.notStored)
        default: throw .unsupported
        }
    }
}
