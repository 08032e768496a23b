/// The signature hashes of one transaction's inputs, each by the rules of the output that it spends.
struct Sighashes {
    private let previousOutputs: [TransactionOutput]
    private let taproot: TaprootSighash
    private let segwit: SegwitSighash

    init(_ transaction: Transaction, spending previousOutputs: [TransactionOutput]) throws(BitcoinError) {
        self.previousOutputs = previousOutputs
        let hashes = TransactionHashes(transaction)
        taproot = try TaprootSighash(transaction, spending: previousOutputs, hashes: hashes)
        segwit = try SegwitSighash(transaction, spending: previousOutputs, hashes: hashes)
    }

    /// Returns the 32 bytes that are signed for one input.
    ///
    /// - Throws: ``BitcoinError/incomplete(input:)`` if the input does not exist; ``BitcoinError/badTransaction`` for a
    ///   kind of output that this wallet does not spend, and for types that it does not have.
    func hash(input index: Int, type: SighashType) throws(BitcoinError) -> [UInt8] {
        guard previousOutputs.indices.contains(index) else { throw .incomplete(input: index) }
        return switch previousOutputs[index].scriptPubKey.kind {
        case .p2tr: try taproot.hash(input: index, type: type)
        default: try segwit.hash(input: index, type: type)
        }
    }
}
