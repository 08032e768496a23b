internal import Encoding

/// The coordinator's request for signatures.
///
/// | bytes | what |
/// |---|---|
/// | 32 | digest of what the person confirmed |
/// | 1, then 1 each | the signers' indices, ascending |
/// | 4 | size of the payload, big-endian |
/// | … | ``SigningPayload/encoded`` |
struct SigningProposal: Equatable {
    let confirmed: [UInt8]
    let signers: [Int]
    let payload: [UInt8]

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 64 + payload.count)
        writer.append(confirmed)
        writer.append(UInt8(signers.count))
        writer.append(signers.map(UInt8.init))
        writer.bigEndian(UInt32(payload.count))
        writer.append(payload)
        return writer.bytes
    }

    init(confirmed: [UInt8], signers: [Int], payload: [UInt8]) {
        self.confirmed = confirmed
        self.signers = signers
        self.payload = payload
    }

    /// - Throws: ``CeremonyError/malformedMessage``.
    init(decoding bytes: [UInt8]) throws(CeremonyError) {
        do {
            var reader = try ByteReader(bytes, limit: Limits.messageSize)
            confirmed = Array(try reader.bytes(32))
            let count = Int(try reader.uint8())
            signers = try reader.bytes(count).map(Int.init)
            // Ascending, so that a set of signers has one encoding, and no signer occurs twice.
            guard zip(signers, signers.dropFirst()).allSatisfy(<), signers.allSatisfy({ (1...Limits.parties) ~= $0 })
            else { throw EncodingError.notCanonical }
            let size = Int(try reader.bigEndian(UInt32.self))
            payload = Array(try reader.bytes(size))
            try reader.finish()
        } catch {
            throw .malformedMessage
        }
    }
}
