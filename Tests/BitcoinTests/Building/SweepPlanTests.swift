import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Moving the whole balance, in several transactions if necessary")
struct SweepPlanTests {
    private static func plan(
        _ invented: InventedCoins, rate: UInt64 = 1_000, ceiling: UInt64 = 1_000_000
    ) throws -> SweepPlan {
        try SweepPlan(
            paying: InventedCoins.bob(), from: invented.coins, feeRate: FeeRate(satoshisPerKilobyte: rate),
            feeCeiling: Amount(satoshis: ceiling), change: invented.change(), blockHeight: 100,
            for: invented.signer.ownership, seed: InventedCoins.seed)
    }

    @Test("401 coins take two transactions: the most valuable first, no coin twice, every satoshi paid or fee")
    func rounds() throws {
        var invented = InventedCoins(try LoneSigner.withBothKeys())
        for number in 0..<401 { try invented.add(UInt64(10_000 + number), isSegwit: number % 2 == 0) }
        let plan = try Self.plan(invented)
        #expect(plan.rounds.map(\.selection.coins.count) == [400, 1] && plan.staying.isEmpty)
        #expect(plan.rounds[1].selection.coins.map(\.amount.satoshis) == [10_000])
        let spent = plan.rounds.flatMap { $0.transaction.inputs.map(\.previousOutput) }
        #expect(Set(spent) == Set(invented.coins.map(\.outPoint)) && spent.count == 401)
        let worth = try Amount.sum(invented.coins.map(\.amount)).satoshis
        #expect(plan.paid.satoshis + plan.fee.satoshis == worth)
        let bob = try InventedCoins.bob().scriptPubKey
        #expect(plan.rounds.allSatisfy { $0.transaction.outputs.map(\.scriptPubKey) == [bob] })
        #expect(try plan.rounds.map { try $0.feeOfTransaction } == plan.rounds.map(\.fee.satoshis))
    }

    @Test(
        "coins that cannot be spent, cost more than their worth, or are worth less than their output, remain and are reported"
    )
    func staying() throws {
        var invented = InventedCoins(try LoneSigner())
        try invented.add(5_000_000_000, confirmations: 0)
        try invented.add(5_000_000_000, confirmations: 99, isCoinbase: true)
        for _ in 0..<400 { try invented.add(20_000) }
        // Each is worth 57 virtual bytes, and together less than an output.
        try invented.add(330, index: 1)
        try invented.add(60, index: 2)
        try invented.add(57, index: 3)
        let plan = try Self.plan(invented)
        #expect(plan.rounds.map(\.selection.coins.count) == [400])
        #expect(
            plan.staying.map(\.obstacle).sorted { "\($0)" < "\($1)" } == [
                .immature, .waiting, .worthless, .worthless, .worthless,
            ])
        var poor = InventedCoins(try LoneSigner())
        try poor.add(5_000_000_000, confirmations: 0)
        #expect {
            try Self.plan(poor)
        } throws: { error in
            guard case .insufficientFunds(let shortage) = error as? PlanRefusal else { return false }
            return shortage.waiting.satoshis == 5_000_000_000
        }
    }

    @Test(
        "the ceiling holds for all transactions together: what would go beyond it stays, and the first is made anyway"
    )
    func ceiling() throws {
        var invented = InventedCoins(try LoneSigner())
        for number in 0..<801 { try invented.add(UInt64(100_000 - number)) }
        let all = try Self.plan(invented)
        #expect(all.rounds.count == 3)
        let first = all.rounds[0].fee.satoshis
        let bounded = try Self.plan(invented, ceiling: first + all.rounds[1].fee.satoshis)
        #expect(bounded.rounds == Array(all.rounds.prefix(2)) && bounded.staying.map(\.obstacle) == [.aboveCeiling])
        #expect(try Self.plan(invented, ceiling: first).staying.count == 401)
        #expect(throws: PlanRefusal.feeAboveCeiling(fee: all.rounds[0].fee, ceiling: try Amount(satoshis: first - 1))) {
            try Self.plan(invented, ceiling: first - 1)
        }
    }

    @Test(
        "coins from large transactions go in more rounds, as a PSBT shows each whole; one that is too large to be shown stays"
    )
    func largeOrigins() throws {
        let signer = try LoneSigner.withBothKeys()
        let key = DerivedKey.segwit(try signer.segwit.key(at: AddressPath(.receive, index: 0)))
        let coins =
            try (0..<5).map { try Bitcoin.Coin.made($0, worth: 50_000, size: 1_000_000, for: key) }
            + [.made(9, worth: 50_000, size: 3_500_000, for: key)]
        let plan = try SweepPlan(
            paying: InventedCoins.bob(), from: coins, feeRate: FeeRate(satoshisPerKilobyte: 1_000),
            feeCeiling: Amount(satoshis: 100_000), change: key, blockHeight: nil, for: signer.ownership,
            seed: InventedCoins.seed)
        #expect(plan.rounds.flatMap(\.selection.coins).count == 5)
        #expect(plan.rounds.allSatisfy { $0.selection.coins.count <= 3 })
        #expect(plan.staying.map(\.obstacle) == [.largeOrigin])
        #expect(plan.staying.map(\.coin.outPoint) == [coins[5].outPoint])
    }
}

@Suite("Coins from large transactions")
struct LargeOriginTests {
    private let signer: LoneSigner
    private let change: DerivedKey

    init() throws {
        signer = try LoneSigner.withBothKeys()
        change = .taproot(try signer.account.key(at: AddressPath(.change, index: 0)))
    }

    private func coin(_ number: Int, worth satoshis: UInt64, size: Int, isSegwit: Bool = true) throws -> Bitcoin.Coin {
        let path = try AddressPath(.receive, index: 0)
        let key: DerivedKey =
            isSegwit ? .segwit(try signer.segwit.key(at: path)) : .taproot(try signer.account.key(at: path))
        return try .made(number, worth: satoshis, size: size, for: key)
    }

    private func plan(
        _ share: SpendOrder.Recipient.Share, from coins: [Bitcoin.Coin], required: Set<OutPoint> = []
    ) throws -> SpendPlan {
        var order = SpendOrder(
            paying: [.init(try InventedCoins.bob(), share)], from: coins, feeRate: FeeRate(satoshisPerKilobyte: 1_000),
            feeCeiling: try Amount(satoshis: 100_000), change: change, blockHeight: nil)
        order.required = required
        return try SpendPlan(order, for: signer.ownership, seed: InventedCoins.seed)
    }

    @Test("a payment avoids coins that have no room in a PSBT, and reports them")
    func others() throws {
        let large = try (0..<6).map { try coin($0, worth: 1_000_000, size: 3_500_000) }
        let small = try (10..<20).map { try coin($0, worth: 100_000, size: 100) }
        let paid = try plan(.exactly(Amount(satoshis: 600_000)), from: large + small)
        #expect(Set(paid.selection.coins.map(\.outPoint)).isSubset(of: small.map(\.outPoint)))
        #expect(!paid.largeOrigins.isEmpty && Set(paid.largeOrigins).isSubset(of: large.map(\.outPoint)))
        // Two of these have room, and three do not.
        let middle = try (0..<4).map { try coin($0, worth: 1_000_000, size: 1_200_000) }
        let both = try plan(.exactly(Amount(satoshis: 2_400_000)), from: middle + small)
        #expect(both.selection.coins.filter { $0.amount.satoshis == 1_000_000 }.count == 2)
        // The omitted coins may be worth more than the spent ones.
        #expect(try plan(.exactly(Amount(satoshis: 500_000)), from: small).largeOrigins.isEmpty)
    }

    @Test("coins that suffice but have no room together are refused as such, and so are named ones")
    func refused() throws {
        let coins = try (0..<4).map { try coin($0, worth: 1_000_000, size: 1_200_000) }
        #expect {
            try plan(.exactly(Amount(satoshis: 3_500_000)), from: coins)
        } throws: { error in
            guard case .largeOrigins(let left)? = error as? PlanRefusal else { return false }
            return left.count == 2
        }
        #expect(throws: PlanRefusal.self) {
            try plan(.exactly(Amount(satoshis: 1_000)), from: coins, required: Set(coins.map(\.outPoint)))
        }
        // More than the whole balance is missing, whatever has room.
        #expect {
            try plan(.exactly(Amount(satoshis: 9_000_000)), from: coins)
        } throws: { error in
            guard case .insufficientFunds? = error as? PlanRefusal else { return false }
            return true
        }
    }

    @Test("all coins that have room are moved, the most valuable first; taproot alone needs no room")
    func all() throws {
        let coins = try (0..<5).map { try coin($0, worth: UInt64(1_000_000 + $0), size: 1_200_000) }
        let moved = try plan(.everythingLeft, from: coins)
        #expect(Set(moved.selection.coins.map(\.amount.satoshis)) == [1_000_004, 1_000_003])
        #expect(Set(moved.largeOrigins) == Set(coins.prefix(3).map(\.outPoint)))
        let taproot = try (0..<5).map { try coin($0, worth: 1_000_000, size: 1_200_000, isSegwit: false) }
        let free = try plan(.everythingLeft, from: taproot)
        #expect(free.selection.coins.count == 5 && free.largeOrigins.isEmpty)
    }
}

@Suite("Joining small coins")
struct ConsolidationTests {
    private static func plan(
        _ invented: InventedCoins, ceiling: UInt64 = 1_000_000,
        _ change: (inout ConsolidationOrder) throws -> Void = { _ in }
    ) throws -> SpendPlan {
        var order = ConsolidationOrder(
            of: invented.coins, feeRate: FeeRate(satoshisPerKilobyte: 1_000), feeCeiling: try Amount(satoshis: ceiling),
            target: try invented.change(), blockHeight: 100)
        try change(&order)
        return try SpendPlan(order, for: invented.signer.ownership, seed: InventedCoins.seed)
    }

    private static func invented() throws -> InventedCoins {
        var invented = InventedCoins(try LoneSigner())
        for number in 1...10 { try invented.add(UInt64(1_000 * number)) }
        try invented.add(50)
        try invented.add(700, confirmations: 0)
        return invented
    }

    @Test("the smallest worthwhile mined coins go to one address of the wallet; frozen ones never")
    func joined() throws {
        let invented = try Self.invented()
        let all = try Self.plan(invented)
        #expect(all.selection.coins.map(\.amount.satoshis).sorted() == (1...10).map { 1_000 * $0 })
        #expect(all.transaction.outputs.map(\.scriptPubKey) == [try invented.change().scriptPubKey])
        #expect(try all.feeOfTransaction == all.fee.satoshis)
        let two = try Self.plan(invented) {
            $0.most = 2
            $0.frozen = [invented.coins[0].outPoint]
        }
        #expect(two.selection.coins.map(\.amount.satoshis).sorted() == [2_000, 3_000])
    }

    @Test("no more coins than the fee ceiling allows; fewer than two are refused")
    func bounds() throws {
        let invented = try Self.invented()
        let three = try Self.plan(invented) { $0.most = 3 }
        let bounded = try Self.plan(invented, ceiling: three.fee.satoshis)
        #expect(bounded.selection.coins.map(\.amount.satoshis).sorted() == [1_000, 2_000, 3_000])
        #expect {
            try Self.plan(invented, ceiling: 100)
        } throws: { error in
            guard case .feeAboveCeiling? = error as? PlanRefusal else { return false }
            return true
        }
        #expect(throws: PlanRefusal.nothingToJoin) {
            try Self.plan(invented) { $0.frozen = Set(invented.coins.dropFirst().map(\.outPoint)) }
        }
        #expect(throws: PlanRefusal.nothingToJoin) { try Self.plan(invented) { $0.most = 1 } }
    }

    @Test(
        "joined coins return to the wallet: an address of another wallet, or beyond the scanned range, is refused"
    )
    func target() throws {
        let invented = try Self.invented()
        let far = try invented.change(index: 100_000)
        let order = ConsolidationOrder(
            of: invented.coins, feeRate: FeeRate(satoshisPerKilobyte: 1_000), feeCeiling: .maximum, target: far,
            blockHeight: nil)
        #expect(throws: PlanRefusal.foreignChange) {
            try SpendPlan(order, for: invented.signer.ownership, seed: InventedCoins.seed)
        }
    }
}

extension Bitcoin.Coin {
    /// Returns a coin of a transaction of about this size.
    fileprivate static func made(
        _ number: Int, worth satoshis: UInt64, size: Int, for key: DerivedKey
    ) throws -> Bitcoin.Coin {
        let own = TransactionOutput(amount: try Amount(satoshis: satoshis), scriptPubKey: key.scriptPubKey)
        let rest = TransactionOutput(
            amount: .zero, scriptPubKey: ScriptPubKey([UInt8](repeating: 0x6A, count: size)))
        let transaction = Transaction(
            version: 2, inputs: [TransactionInput(previousOutput: try Draft.outPoint(number), sequence: 0)],
            outputs: [own, rest], lockTime: 0)
        return try Bitcoin.Coin(
            OutPoint(transaction: transaction.id, index: 0), output: own, key: key, confirmations: 6,
            previousTransaction: transaction)
    }
}
