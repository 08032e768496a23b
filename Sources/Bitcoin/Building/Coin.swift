/// An unspent output of the wallet, with everything that is needed to spend it.
///
/// A node reports the outputs; ``Ownership/key(for:)`` derives whether they are the wallet's.
public struct Coin: Equatable, Sendable {
    /// The output, as an input names it.
    public let outPoint: OutPoint
    /// The amount of the output.
    public let amount: Amount
    /// The wallet's key for the output: its address, and how it signs.
    public let key: DerivedKey
    /// The number of blocks from its transaction's block on, that one included; 0 while it waits to be mined.
    public let confirmations: UInt32
    /// Whether its transaction created new bitcoin, which cannot be spent for 100 blocks.
    public let isCoinbase: Bool
    /// The transaction that created the coin. A spend of P2WPKH needs those of all its coins.
    public let previousTransaction: Transaction?

    /// Creates a coin from an output that a node reported.
    ///
    /// - Parameters:
    ///   - output: the output as a node reports it.
    ///   - key: the key that the wallet derives for the output's script.
    /// - Throws: ``BitcoinError/foreignOutput`` if the output is not locked to the key; ``BitcoinError/badTransaction``
    ///   if the previous transaction is another one, or has another output at this position.
    public init(
        _ outPoint: OutPoint, output: TransactionOutput, key: DerivedKey, confirmations: UInt32,
        isCoinbase: Bool = false, previousTransaction: Transaction? = nil
    ) throws(BitcoinError) {
        guard output.scriptPubKey == key.scriptPubKey else { throw .foreignOutput }
        if let previousTransaction {
            guard previousTransaction.id == outPoint.transaction,
                let index = Int(exactly: outPoint.index), previousTransaction.outputs.indices.contains(index),
                previousTransaction.outputs[index] == output
            else { throw .badTransaction }
        }
        self.outPoint = outPoint
        amount = output.amount
        self.key = key
        self.confirmations = confirmations
        self.isCoinbase = isCoinbase || previousTransaction?.isCoinbase == true
        self.previousTransaction = previousTransaction
    }

    /// Makes the coin of a transaction's output that belongs to the wallet.
    ///
    /// - Throws: ``BitcoinError/badTransaction`` if the output does not exist; ``BitcoinError/foreignOutput`` if it is
    ///   not the wallet's.
    public init(
        output index: UInt32, of transaction: Transaction, ownership: Ownership, confirmations: UInt32
    ) throws(BitcoinError) {
        guard let position = Int(exactly: index), transaction.outputs.indices.contains(position) else {
            throw .badTransaction
        }
        let output = transaction.outputs[position]
        guard let key = ownership.key(for: output.scriptPubKey) else { throw .foreignOutput }
        try self.init(
            OutPoint(transaction: transaction.id, index: index), output: output, key: key,
            confirmations: confirmations, previousTransaction: transaction)
    }

    /// Returns whether it is worth more than its input costs.
    public func isWorthSpending(at rate: FeeRate) -> Bool { SelectionProblem.effectiveValue(of: self, at: rate) > 0 }

    /// The output, as an input shows it.
    public var output: TransactionOutput { TransactionOutput(amount: amount, scriptPubKey: key.scriptPubKey) }

    /// Whether consensus does not allow spending it yet (100 blocks).
    var isImmature: Bool { isCoinbase && confirmations < BitcoinLimits.coinbaseMaturity }

    /// Whether it is spent by an ECDSA signature, which covers no other input's amount.
    var isSegwit: Bool { if case .segwit = key { true } else { false } }
}

extension Transaction {
    /// Whether the transaction creates new bitcoin: its only input spends nothing.
    var isCoinbase: Bool {
        inputs.count == 1 && inputs[0].previousOutput.index == .max
            && inputs[0].previousOutput.transaction.bytes.allSatisfy { $0 == 0 }
    }
}
