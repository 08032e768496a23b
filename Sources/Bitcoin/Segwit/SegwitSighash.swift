internal import Curves
internal import Encoding

/// The signature hashes for spending P2WPKH outputs (BIP-143).
///
/// - Warning: A signature covers the amount of its own input, and no other. A signer must verify the other amounts
///   itself, or may pay a fee that was never shown (``Refusal/unprovenAmount(input:)``).
public struct SegwitSighash: Sendable {
    private let transaction: Transaction
    private let previousOutputs: [TransactionOutput]

    private let hashPrevouts: [UInt8]
    private let hashSequences: [UInt8]
    private let hashOutputs: [UInt8]

    /// Prepares the hashes that all inputs share.
    ///
    /// - Parameter previousOutputs: the outputs that the inputs spend, in the order of the inputs.
    /// - Throws: ``BitcoinError/badTransaction`` if their number is not that of the inputs.
    public init(_ transaction: Transaction, spending previousOutputs: [TransactionOutput]) throws(BitcoinError) {
        try self.init(transaction, spending: previousOutputs, hashes: TransactionHashes(transaction))
    }

    /// - Parameter hashes: the hashes of the transaction.
    init(
        _ transaction: Transaction, spending previousOutputs: [TransactionOutput], hashes: TransactionHashes
    ) throws(BitcoinError) {
        guard previousOutputs.count == transaction.inputs.count else { throw .badTransaction }
        self.transaction = transaction
        self.previousOutputs = previousOutputs
        hashPrevouts = SHA256.hash(hashes.prevouts)
        hashSequences = SHA256.hash(hashes.sequences)
        hashOutputs = SHA256.hash(hashes.outputs)
    }

    /// Returns the 32 bytes that are signed for one input.
    ///
    /// - Throws: ``BitcoinError/incomplete(input:)`` if the input does not exist; ``BitcoinError/badTransaction`` if it
    ///   does not spend a P2WPKH output, or for ``SighashType/default``, which only taproot has.
    public func hash(input index: Int, type: SighashType) throws(BitcoinError) -> [UInt8] {
        guard previousOutputs.indices.contains(index) else { throw .incomplete(input: index) }
        guard case .p2wpkh(let keyHash) = previousOutputs[index].scriptPubKey.kind, type != .default else {
            throw .badTransaction
        }
        // The script code of a key hash is the P2PKH script.
        return Self.doubleHash(message(input: index, scriptCode: ScriptPubKey(.p2pkh(keyHash: keyHash)).bytes, type))
    }

    /// Returns the message that is hashed for an input, with the script that is executed.
    func message(input index: Int, scriptCode: [UInt8], _ type: SighashType) -> [UInt8] {
        let nothing = [UInt8](repeating: 0, count: 32)
        let input = transaction.inputs[index]
        let coversAllOutputs = !type.coversNoOutputs && !type.coversOneOutput
        var writer = ByteWriter(reserving: 256)
        writer.littleEndian(transaction.version)
        writer.append(type.isAnyoneCanPay ? nothing : hashPrevouts)
        writer.append(type.isAnyoneCanPay || !coversAllOutputs ? nothing : hashSequences)
        writer.outPoint(input.previousOutput)
        writer.sized(scriptCode)
        writer.littleEndian(previousOutputs[index].amount.satoshis)
        writer.littleEndian(input.sequence)
        if coversAllOutputs {
            writer.append(hashOutputs)
        } else if type.coversOneOutput, transaction.outputs.indices.contains(index) {
            writer.append(SHA256.hash(TransactionHashes.hash(of: [transaction.outputs[index]])))
        } else {
            writer.append(nothing)
        }
        writer.littleEndian(transaction.lockTime)
        writer.littleEndian(UInt32(type.rawValue))
        return writer.bytes
    }

    static func doubleHash(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(SHA256.hash(bytes)) }
}
