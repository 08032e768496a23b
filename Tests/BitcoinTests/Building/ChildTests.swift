import BitcoinTestSupport
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Child transactions that pay for their parents")
struct ChildTests {
    /// A payer sends us 50,000 satoshi, and others; the transaction is unconfirmed.
    private static func parent(_ signer: LoneSigner, outputs: [UInt64] = [50_000]) throws -> Transaction {
        Transaction(
            version: 2, inputs: [TransactionInput(previousOutput: try Draft.outPoint(900), sequence: 0)],
            outputs: [TransactionOutput(amount: try Amount(satoshis: 7_000), scriptPubKey: Draft.bob)]
                + (try outputs.map {
                    TransactionOutput(amount: try Amount(satoshis: $0), scriptPubKey: try signer.script(.receive, 1))
                }), lockTime: 0)
    }

    private static func order(
        _ parent: Transaction, fee: UInt64 = 300, size: Int = 250, coins: [Bitcoin.Coin], rate: UInt64 = 8_000,
        ceiling: UInt64 = 1_000_000, _ invented: InventedCoins
    ) throws -> ChildOrder {
        ChildOrder(
            of: parent, fee: try Amount(satoshis: fee), virtualSize: size, coins: coins,
            feeRate: FeeRate(satoshisPerKilobyte: rate), feeCeiling: try Amount(satoshis: ceiling),
            change: try invented.change(), blockHeight: nil)
    }

    private static func coins(_ parent: Transaction, _ signer: LoneSigner) throws -> [Bitcoin.Coin] {
        try parent.outputs.indices.dropFirst().map {
            try Bitcoin.Coin(output: UInt32($0), of: parent, ownership: signer.ownership, confirmations: 0)
        }
    }

    @Test("both together pay the rate: the child pays the missing part")
    func package() throws {
        let signer = try LoneSigner()
        let invented = InventedCoins(signer)
        let parent = try Self.parent(signer)
        let order = try Self.order(parent, coins: try Self.coins(parent, signer), invented)
        let child = try SpendPlan(order, for: signer.ownership, seed: InventedCoins.seed)
        let signed = try signer.sign(child.psbt).finalised().transaction()
        #expect(signed.inputs.map(\.previousOutput) == [OutPoint(transaction: parent.id, index: 1)])
        #expect(signed.outputs.count == 1 && child.changeOutput == 0)
        #expect(SpendSummary(of: child.psbt, for: signer.ownership).paid == .zero)
        let needed = try FeeRate(satoshisPerKilobyte: 8_000).fee(virtualSize: 250 + signed.virtualSize).satoshis
        #expect((needed...needed + 1).contains(child.fee.satoshis + 300))
        #expect(try child.feeOfTransaction == child.fee.satoshis)
    }

    @Test("the largest own output is spent, and others or mined coins only if needed")
    func further() throws {
        let signer = try LoneSigner()
        var invented = InventedCoins(signer)
        let parent = try Self.parent(signer, outputs: [2_000, 3_000, 2_500])
        let coins = try Self.coins(parent, signer)
        let one = try SpendPlan(
            try Self.order(parent, coins: coins, rate: 4_000, invented), for: signer.ownership, seed: InventedCoins.seed
        )
        #expect(one.selection.coins.map(\.amount.satoshis) == [3_000])
        let two = try SpendPlan(
            try Self.order(parent, coins: coins, rate: 9_000, invented), for: signer.ownership, seed: InventedCoins.seed
        )
        #expect(two.selection.coins.count == 2)
        try invented.add(100_000)
        try invented.add(900_000, confirmations: 0)
        let most = try SpendPlan(
            try Self.order(parent, coins: coins + invented.coins, rate: 60_000, invented), for: signer.ownership,
            seed: InventedCoins.seed)
        #expect(most.selection.coins.contains(invented.coins[0]) && !most.selection.coins.contains(invented.coins[1]))
        #expect(throws: PlanRefusal.self) {
            try SpendPlan(
                try Self.order(parent, coins: coins + invented.coins.suffix(1), rate: 60_000, invented),
                for: signer.ownership, seed: InventedCoins.seed)
        }
        var frozen = try Self.order(parent, coins: coins, rate: 4_000, invented)
        frozen.frozen = [coins[1].outPoint]
        #expect(
            try SpendPlan(frozen, for: signer.ownership, seed: InventedCoins.seed).selection.coins.map(
                \.amount.satoshis)
                == [2_500])
    }

    @Test("a child that would not help, or spends no output of its parent, is refused by name")
    func refused() throws {
        let signer = try LoneSigner()
        var invented = InventedCoins(signer)
        let parent = try Self.parent(signer)
        let coins = try Self.coins(parent, signer)
        func refusal(_ order: ChildOrder) -> PlanRefusal? {
            do throws(PlanRefusal) {
                _ = try SpendPlan(order, for: signer.ownership, seed: InventedCoins.seed)
                return nil
            } catch { return error }
        }
        let rate = PlanRefusal.feeRateNotHigher(than: FeeRate(satoshisPerKilobyte: 8_000))
        #expect(refusal(try Self.order(parent, fee: 2_000, coins: coins, invented)) == rate)
        #expect(refusal(try Self.order(parent, fee: 1_999, coins: coins, invented)) == nil)
        try invented.add(100_000)
        #expect(refusal(try Self.order(parent, coins: invented.coins, invented)) == .nothingToSpend)
        var frozen = try Self.order(parent, coins: coins, invented)
        frozen.frozen = [coins[0].outPoint]
        #expect(refusal(frozen) == .nothingToSpend)
        for size in [0, -1, 1_000_001, .max] {
            #expect(refusal(try Self.order(parent, size: size, coins: coins, invented)) == .tooLarge(weight: 0))
        }
        #expect(refusal(try Self.order(parent, coins: coins + coins, invented)) == .duplicateCoin(coins[0].outPoint))
        if case .insufficientFunds(let shortage) = refusal(
            try Self.order(parent, size: 100_000, coins: coins, invented))
        {
            #expect(shortage.missing.satoshis > 700_000 && shortage.available.satoshis == 50_000)
        } else {
            Issue.record("50,000 satoshi do not pay for 100,000 virtual bytes")
        }
        guard case .feeAboveCeiling = refusal(try Self.order(parent, coins: coins, ceiling: 500, invented)) else {
            Issue.record("the ceiling holds for a child too")
            return
        }
    }
}
