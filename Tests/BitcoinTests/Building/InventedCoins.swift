import BitcoinTestSupport
import TestSupport

@testable import Bitcoin
@testable import HDKeys

/// Coins of a known wallet, invented together with the transactions that pay them.
struct InventedCoins {
    let signer: LoneSigner
    private(set) var coins: [Bitcoin.Coin] = []

    init(_ signer: LoneSigner) { self.signer = signer }

    static let seed = [UInt8](repeating: 5, count: 32)

    /// Adds a coin, each of another transaction.
    @discardableResult
    mutating func add(
        _ satoshis: UInt64, isSegwit: Bool = false, confirmations: UInt32 = 6, isCoinbase: Bool = false,
        showsTransaction: Bool = true, index: UInt32 = 0
    ) throws -> Bitcoin.Coin {
        let path = try AddressPath(.receive, index: index)
        let key: DerivedKey =
            isSegwit ? .segwit(try signer.segwit.key(at: path)) : .taproot(try signer.account.key(at: path))
        let output = TransactionOutput(amount: try Amount(satoshis: satoshis), scriptPubKey: key.scriptPubKey)
        let transaction = Transaction(
            version: 2,
            inputs: [TransactionInput(previousOutput: try Draft.outPoint(coins.count + 1_000), sequence: 0)],
            outputs: [output], lockTime: 0)
        let coin = try Bitcoin.Coin(
            OutPoint(transaction: transaction.id, index: 0), output: output, key: key, confirmations: confirmations,
            isCoinbase: isCoinbase, previousTransaction: showsTransaction ? transaction : nil)
        coins.append(coin)
        return coin
    }

    /// Returns a change address of the wallet.
    func change(isSegwit: Bool = false, index: UInt32 = 2) throws -> DerivedKey {
        let path = try AddressPath(.change, index: index)
        return isSegwit ? .segwit(try signer.segwit.key(at: path)) : .taproot(try signer.account.key(at: path))
    }

    /// Returns an order that pays this amount to Bob, the first of the recipients.
    func order(
        paying satoshis: UInt64?, rate: UInt64 = 5_000, ceiling: UInt64 = 1_000_000, height: UInt32? = nil
    ) throws -> SpendOrder {
        let share: SpendOrder.Recipient.Share =
            if let satoshis { .exactly(try Amount(satoshis: satoshis)) } else { .everythingLeft }
        return SpendOrder(
            paying: [SpendOrder.Recipient(try Self.bob(), share)], from: coins,
            feeRate: FeeRate(satoshisPerKilobyte: rate), feeCeiling: try Amount(satoshis: ceiling),
            change: try change(), blockHeight: height)
    }

    func plan(_ order: SpendOrder, seed: [UInt8] = InventedCoins.seed) throws(PlanRefusal) -> SpendPlan {
        try SpendPlan(order, for: signer.ownership, seed: seed)
    }

    static func bob() throws -> Address<Checked> {
        guard let address = Address<Checked>(Draft.bob, on: .regtest) else { throw BitcoinError.badAddress }
        return address
    }
}

extension SpendOrder {
    /// Returns the same order with other recipients.
    func paying(_ recipients: [Recipient]) -> SpendOrder { with(recipients: recipients) }
    func with(
        recipients: [Recipient]? = nil, coins: [Bitcoin.Coin]? = nil, change: DerivedKey? = nil
    ) -> SpendOrder {
        var order = SpendOrder(
            paying: recipients ?? self.recipients, from: coins ?? self.coins, feeRate: feeRate, feeCeiling: feeCeiling,
            change: change ?? self.change, blockHeight: blockHeight)
        order.required = required
        order.frozen = frozen
        order.leastConfirmations = leastConfirmations
        order.mayPayOwnAddresses = mayPayOwnAddresses
        return order
    }
}

extension SpendPlan {
    var transaction: Transaction { psbt.unsignedTransaction }

    /// Returns the value of the inputs minus that of the outputs, from the transaction itself.
    var feeOfTransaction: UInt64 {
        get throws {
            try Amount.sum(psbt.previousOutputs().map(\.amount))
                .subtracting(Amount.sum(transaction.outputs.map(\.amount))).satoshis
        }
    }
}
