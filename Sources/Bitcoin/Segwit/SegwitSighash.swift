internal import Curves
internal import Encoding

/// What is signed when P2WPKH outputs are spent (BIP-143).
///
/// - Warning: it covers the amount of its own input, and of no other. Who signs has to know the other amounts by
///   themselves, or may pay a fee that nobody showed (``Refusal/unprovenAmount(input:)``).
public struct SegwitSighash: Sendable {
    private let transaction: Transaction
    private let previousOutputs: [TransactionOutput]

    private let hashPrevouts: [UInt8]
    private let hashSequences: [UInt8]
    private let hashOutputs: [UInt8]

    /// Prepares the hashes that all inputs share.
    ///
    /// - Parameter previousOutputs: what the inputs spend, one for each and in their order.
    /// - Throws: ``BitcoinError/badTransaction`` if their number is not that of the inputs.
    public init(_ transaction: Transaction, spending previousOutputs: [TransactionOutput]) throws(BitcoinError) {
        try self.init(transaction, spending: previousOutputs, hashes: TransactionHashes(transaction))
    }

    /// - Parameter hashes: of the transaction.
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

    /// The 32 bytes that are signed for one input.
    ///
    /// - Throws: ``BitcoinError/incomplete(input:)`` if there is no such input; ``BitcoinError/badTransaction`` if it spends
    ///   no P2WPKH output, or for ``SighashType/default``, which only taproot has.
    public func hash(input index: Int, type: SighashType) throws(BitcoinError) -> [UInt8] {
        guard previousOutputs.indices.contains(index) else { throw .incomplete(input: index) }
        guard case .p2wpkh(let keyHash) = previousOutputs[index].scriptPubKey.kind, type != .default else {
            throw .badTransaction
        }
        // The script code of a key's hash is the one of P2PKH.
        return Self.doubleHash(message(input: index, scriptCode: ScriptPubKey(.p2pkh(keyHash: keyHash)).bytes, type))
    }

    /// What is hashed for an input of the transaction, with the script that is executed.
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
