/// An output of the wallet's own that nobody has spent, with what it takes to spend it.
///
/// A node says which outputs there are; whose they are, ``Ownership/key(for:)`` derives.
public struct Coin: Equatable, Sendable {
    /// The output, as an input names it.
    public let outPoint: OutPoint
    /// The amount of the output.
    public let amount: Amount
    /// Ours: says where the address is in the wallet, and how it signs.
    public let key: DerivedKey
    /// Blocks on top of its transaction, counting its own; 0 while it waits to be mined.
    public let confirmations: UInt32
    /// Whether its transaction made new bitcoin, which nobody can spend for 100 blocks.
    public let isCoinbase: Bool
    /// The transaction that made it. Spending P2WPKH takes it, and whatever is spent beside that.
    public let previousTransaction: Transaction?

    /// Creates a coin from an output that a node reported.
    ///
    /// - Parameters:
    ///   - output: as a node tells it.
    ///   - key: what the wallet derives for the output's script.
    /// - Throws: ``BitcoinError/foreignOutput`` if the output is not locked to the key; ``BitcoinError/badTransaction`` if the previous
    ///   transaction is another one, or has another output there.
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

    /// The coin that an output of a transaction is, if it is the wallet's own.
    ///
    /// - Throws: ``BitcoinError/badTransaction`` if there is no such output; ``BitcoinError/foreignOutput`` if it is not ours.
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

    /// Whether it is worth more than its input costs.
    public func isWorthSpending(at rate: FeeRate) -> Bool { SelectionProblem.effectiveValue(of: self, at: rate) > 0 }

    /// What it spends, as an input shows it.
    public var output: TransactionOutput { TransactionOutput(amount: amount, scriptPubKey: key.scriptPubKey) }

    /// Whether consensus lets nobody spend it yet (100 blocks).
    var isImmature: Bool { isCoinbase && confirmations < BitcoinLimits.coinbaseMaturity }

    /// Whether it is spent by a signature that covers no other input's amount.
    var isSegwit: Bool { if case .segwit = key { true } else { false } }
}

extension Transaction {
    /// Whether it makes new bitcoin: its only input spends nothing.
    var isCoinbase: Bool {
        inputs.count == 1 && inputs[0].previousOutput.index == .max
            && inputs[0].previousOutput.transaction.bytes.allSatisfy { $0 == 0 }
    }
}
