internal import Curves
internal import Encoding

/// The hashes that the signature hashes of BIP-143 and BIP-341 share: of parts of the whole transaction, computed once.
///
/// Each is one SHA-256, as in BIP-341; BIP-143 hashes it again.
struct TransactionHashes {
    let prevouts: [UInt8]
    let sequences: [UInt8]
    let outputs: [UInt8]

    init(_ transaction: Transaction) {
        var prevouts = ByteWriter()
        var sequences = ByteWriter()
        for input in transaction.inputs {
            prevouts.outPoint(input.previousOutput)
            sequences.littleEndian(input.sequence)
        }
        self.prevouts = SHA256.hash(prevouts.bytes)
        self.sequences = SHA256.hash(sequences.bytes)
        outputs = Self.hash(of: transaction.outputs)
    }

    static func hash(of outputs: [TransactionOutput]) -> [UInt8] {
        var writer = ByteWriter()
        for output in outputs { output.write(to: &writer) }
        return SHA256.hash(writer.bytes)
    }
}
