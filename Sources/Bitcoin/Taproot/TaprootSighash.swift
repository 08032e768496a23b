internal import Curves
internal import Encoding

/// The signature hashes for spending taproot outputs by their key (BIP-341, common signature message).
///
/// The hashes that all inputs share are computed once.
public struct TaprootSighash: Sendable {
    private let transaction: Transaction
    private let previousOutputs: [TransactionOutput]

    let hashes: TransactionHashes
    let hashAmounts: [UInt8]
    let hashScriptPubKeys: [UInt8]

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
        self.hashes = hashes
        var amounts = ByteWriter()
        var scripts = ByteWriter()
        for output in previousOutputs {
            amounts.littleEndian(output.amount.satoshis)
            scripts.sized(output.scriptPubKey.bytes)
        }
        hashAmounts = SHA256.hash(amounts.bytes)
        hashScriptPubKeys = SHA256.hash(scripts.bytes)
    }

    /// Returns the 32 bytes that are signed for one input.
    ///
    /// - Throws: ``BitcoinError/incomplete(input:)`` if the input does not exist; ``BitcoinError/badTransaction`` for
    ///   ``SighashType/single`` without an output of the same index.
    public func hash(input: Int, type: SighashType) throws(BitcoinError) -> [UInt8] {
        // hash_TapSighash(0x00 || SigMsg(hash_type, 0))
        BIP340.taggedHash("TapSighash", [0x00], try message(input: input, type: type))
    }

    /// SigMsg(hash_type, 0): without annex and script path.
    func message(input index: Int, type: SighashType) throws(BitcoinError) -> [UInt8] {
        guard transaction.inputs.indices.contains(index) else { throw .incomplete(input: index) }
        let input = transaction.inputs[index]
        var writer = ByteWriter(reserving: 256)
        writer.append(type.rawValue)
        writer.littleEndian(transaction.version)
        writer.littleEndian(transaction.lockTime)
        if !type.isAnyoneCanPay {
            writer.append(hashes.prevouts)
            writer.append(hashAmounts)
            writer.append(hashScriptPubKeys)
            writer.append(hashes.sequences)
        }
        if !type.coversNoOutputs && !type.coversOneOutput { writer.append(hashes.outputs) }
        // spend_type = 2·ext_flag + annex_present
        writer.append(0x00)
        if type.isAnyoneCanPay {
            writer.outPoint(input.previousOutput)
            previousOutputs[index].write(to: &writer)
            writer.littleEndian(input.sequence)
        } else {
            writer.littleEndian(UInt32(index))
        }
        if type.coversOneOutput {
            guard transaction.outputs.indices.contains(index) else { throw .badTransaction }
            writer.append(TransactionHashes.hash(of: [transaction.outputs[index]]))
        }
        return writer.bytes
    }
}
