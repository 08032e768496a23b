internal import Encoding

/// What the coordinator asks the holders to sign.
///
/// | bytes | what |
/// |---|---|
/// | 32 | digest of what the person confirmed |
/// | 1, then 1 each | the signers' indices, ascending |
/// | 4 | size of the PSBT, big-endian |
/// | … | the PSBT (BIP-174) |
struct SigningProposal: Equatable {
    let confirmed: [UInt8]
    let signers: [Int]
    let psbt: [UInt8]

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 64 + psbt.count)
        writer.append(confirmed)
        writer.append(UInt8(signers.count))
        writer.append(signers.map(UInt8.init))
        writer.bigEndian(UInt32(psbt.count))
        writer.append(psbt)
        return writer.bytes
    }

    init(confirmed: [UInt8], signers: [Int], psbt: [UInt8]) {
        self.confirmed = confirmed
        self.signers = signers
        self.psbt = psbt
    }

    /// - Throws: ``CustodyError/malformedMessage``.
    init(decoding bytes: [UInt8]) throws(CustodyError) {
        do {
            var reader = try ByteReader(bytes, limit: Limits.messageSize)
            confirmed = Array(try reader.bytes(32))
            let count = Int(try reader.uint8())
            signers = try reader.bytes(count).map(Int.init)
            // Ascending, so that a set of signers has one encoding, and nobody is in it twice.
            guard zip(signers, signers.dropFirst()).allSatisfy(<), signers.allSatisfy({ (1...Limits.parties) ~= $0 })
            else { throw EncodingError.notCanonical }
            let size = Int(try reader.bigEndian(UInt32.self))
            psbt = Array(try reader.bytes(size))
            try reader.finish()
        } catch {
            throw .malformedMessage
        }
    }
}
