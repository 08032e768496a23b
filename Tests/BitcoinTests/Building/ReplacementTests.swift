import BitcoinTestSupport
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Replacements")
struct ReplacementTests {
    /// A payment of 60,000 of 100,000 satoshi at 2 sat/vB, signed, and two coins that are not spent.
    private static func sent(
        from signer: LoneSigner, paying satoshis: UInt64? = 60_000, of worth: UInt64 = 100_000
    ) throws -> (invented: InventedCoins, plan: SpendPlan, transaction: Transaction) {
        var invented = InventedCoins(signer)
        try invented.add(worth)
        let plan = try invented.plan(try invented.order(paying: satoshis, rate: 2_000, height: 700))
        try invented.add(30_000)
        try invented.add(40_000, confirmations: 0)
        return (invented, plan, try signer.sign(plan.psbt).finalised().transaction())
    }

    private static func order(
        _ invented: InventedCoins, _ transaction: Transaction, to aim: ReplacementOrder.Aim = .pay,
        rate: UInt64 = 5_000,
        ceiling: UInt64 = 1_000_000, change: DerivedKey? = nil
    ) throws -> ReplacementOrder {
        ReplacementOrder(
            replacing: transaction, to: aim, coins: invented.coins, feeRate: FeeRate(satoshisPerKilobyte: rate),
            feeCeiling: try Amount(satoshis: ceiling), change: try change ?? invented.change(index: 1))
    }

    private func plan(_ order: ReplacementOrder, _ invented: InventedCoins) throws(PlanRefusal) -> SpendPlan {
        try SpendPlan(order, for: invented.signer.ownership, seed: InventedCoins.seed)
    }

    /// BIP-125, rules 1 to 4, and that the rate is higher, whatever nodes look at.
    private func checkRules(_ new: SpendPlan, _ old: Transaction, fee oldFee: Amount, _ signer: LoneSigner) throws {
        let signed = try signer.sign(new.psbt).finalised().transaction()
        #expect(signed.inputs.allSatisfy { $0.sequence < 0xFFFF_FFFE })
        #expect(Set(old.inputs.map(\.previousOutput)).isSubset(of: signed.inputs.map(\.previousOutput)))
        #expect(new.selection.coins.dropFirst(old.inputs.count).allSatisfy { $0.confirmations > 0 })
        #expect(new.fee.satoshis >= oldFee.satoshis + UInt64(signed.virtualSize))
        #expect(new.fee.satoshis * UInt64(old.virtualSize) > oldFee.satoshis * UInt64(signed.virtualSize))
        #expect(try new.feeOfTransaction == new.fee.satoshis)
    }

    @Test("the change pays for a higher rate: same coins, same payment, same positions")
    func change() throws {
        let signer = try LoneSigner()
        let (invented, old, transaction) = try Self.sent(from: signer)
        let new = try plan(try Self.order(invented, transaction), invented)
        try checkRules(new, transaction, fee: old.fee, signer)
        let place = try #require(old.changeOutput)
        #expect(new.changeOutput == place && new.transaction.outputs.count == 2)
        #expect(new.transaction.outputs[1 - place] == transaction.outputs[1 - place])
        // Back to its earlier address, and not to the one in the order.
        #expect(new.transaction.outputs[place].scriptPubKey == transaction.outputs[place].scriptPubKey)
        #expect(new.transaction.inputs.map(\.previousOutput) == transaction.inputs.map(\.previousOutput))
        #expect(new.transaction.lockTime == transaction.lockTime && new.transaction.version == transaction.version)
        #expect(try new.fee == FeeRate(satoshisPerKilobyte: 5_000).fee(virtualSize: new.selection.virtualSize))
        // Barely above: the relay cost counts.
        let little = try plan(try Self.order(invented, transaction, rate: 2_010), invented)
        #expect(little.fee.satoshis == old.fee.satoshis + UInt64(little.selection.virtualSize))
        try checkRules(little, transaction, fee: old.fee, signer)
        // The requirements of present nodes.
        var cheap = try Self.order(invented, transaction, rate: 2_010)
        cheap.incrementalFeeRate = FeeRate(satoshisPerKilobyte: 100)
        #expect(try plan(cheap, invented).fee < little.fee)
        // A descendant is evicted, and its fee has to be paid as well.
        var parents = try Self.order(invented, transaction, rate: 2_010)
        parents.descendantFees = try Amount(satoshis: 3_000)
        #expect(try plan(parents, invented).fee.satoshis == little.fee.satoshis + 3_000)
    }

    @Test("if the change is not enough, a mined coin is added; payments to others never change")
    func further() throws {
        let signer = try LoneSigner()
        let (invented, old, transaction) = try Self.sent(from: signer, paying: 99_400)
        #expect(old.changeOutput == nil)
        let new = try plan(try Self.order(invented, transaction, rate: 20_000), invented)
        try checkRules(new, transaction, fee: old.fee, signer)
        #expect(new.selection.coins == [invented.coins[0], invented.coins[1]])
        #expect(new.transaction.outputs.contains(transaction.outputs[0]))
        // The change is new: at the address of the order.
        let place = try #require(new.changeOutput)
        #expect(new.transaction.outputs[place].scriptPubKey == (try invented.change(index: 1).scriptPubKey))
        // Change that becomes too small is added to the fee.
        let (lean, small, bumped) = try Self.sent(from: signer, paying: 98_000)
        #expect(small.changeOutput != nil)
        var alone = try Self.order(lean, bumped, rate: 12_500)
        alone.frozen = [lean.coins[1].outPoint]
        let merged = try plan(alone, lean)
        #expect(merged.changeOutput == nil && merged.transaction.outputs.count == 1)
        try checkRules(merged, bumped, fee: small.fee, signer)
        // Without an additional coin, nothing is built.
        var frozen = try Self.order(invented, transaction, rate: 20_000)
        frozen.frozen = [invented.coins[1].outPoint]
        #expect {
            try plan(frozen, invented)
        } throws: { error in
            guard case .insufficientFunds(let shortage)? = error as? PlanRefusal else { return false }
            return shortage.frozen.satoshis == 30_000 && shortage.waiting.satoshis == 40_000
                && shortage.available.satoshis == 100_000
        }
    }

    @Test("a transaction is cancelled by one without payees")
    func cancel() throws {
        let signer = try LoneSigner()
        let (invented, old, transaction) = try Self.sent(from: signer)
        let new = try plan(try Self.order(invented, transaction, to: .cancel), invented)
        try checkRules(new, transaction, fee: old.fee, signer)
        #expect(new.transaction.outputs.count == 1 && new.changeOutput == 0)
        #expect(new.transaction.outputs[0].amount.satoshis + new.fee.satoshis == 100_000)
        #expect(SpendSummary(of: new.psbt, for: signer.ownership).paid == .zero)
        // Also where one additional coin is not enough.
        let (poor, small, tiny) = try Self.sent(from: signer, paying: nil, of: 1_000)
        let joined = try plan(try Self.order(poor, tiny, to: .cancel, rate: 20_000), poor)
        try checkRules(joined, tiny, fee: small.fee, signer)
        #expect(joined.selection.coins.count == 2)
    }

    @Test("a cancellation is not locked above the chain's height; a replaced payment keeps its lock time")
    func lockTime() throws {
        let signer = try LoneSigner()
        let (invented, _, sent) = try Self.sent(from: signer)
        let locked = Transaction(version: sent.version, inputs: sent.inputs, outputs: sent.outputs, lockTime: 900)
        for (aim, height, expected) in [
            (.cancel, 700, 700), (.cancel, 1_000, 900), (.cancel, nil, 900), (.pay, 700, 900),
        ] as [(ReplacementOrder.Aim, UInt32?, UInt32)] {
            var order = try Self.order(invented, locked, to: aim)
            order.blockHeight = height
            #expect(try plan(order, invented).transaction.lockTime == expected)
        }
    }

    @Test("a payment to the wallet alone may be reduced; one beside others is a payment")
    func own() throws {
        let signer = try LoneSigner()
        var invented = InventedCoins(signer)
        try invented.add(50_000)
        let own = try signer.account.address(at: AddressPath(.receive, index: 1))
        var consolidation = try invented.order(paying: nil, rate: 1_000).paying([.init(own, .everythingLeft)])
        consolidation.mayPayOwnAddresses = true
        let sent = try signer.sign(try invented.plan(consolidation).psbt).finalised().transaction()
        let new = try plan(try Self.order(invented, sent), invented)
        #expect(new.transaction.outputs.map(\.scriptPubKey) == [own.scriptPubKey])
        var mixed = try invented.order(paying: nil, rate: 1_000)
            .paying([
                .init(own, .exactly(try Amount(satoshis: 20_000))), .init(try InventedCoins.bob(), .everythingLeft),
            ])
        mixed.mayPayOwnAddresses = true
        let both = try signer.sign(try invented.plan(mixed).psbt).finalised().transaction()
        #expect(throws: PlanRefusal.self) { try plan(try Self.order(invented, both), invented) }
        // Of several change outputs the largest is reduced.
        let places = try (0..<2).map { try signer.account.address(at: AddressPath(.change, index: $0)) }
        var twice = try invented.order(paying: nil, rate: 1_000).paying([
            .init(places[0], .exactly(try Amount(satoshis: 5_000))), .init(places[1], .everythingLeft),
        ])
        twice.mayPayOwnAddresses = true
        let split = try signer.sign(try invented.plan(twice).psbt).finalised().transaction()
        let less = try plan(try Self.order(invented, split), invented)
        #expect(less.transaction.outputs[0] == split.outputs[0] && less.changeOutput == 1)
    }

    @Test("a replacement that nodes would refuse is refused by name")
    func refused() throws {
        let signer = try LoneSigner()
        let (invented, old, transaction) = try Self.sent(from: signer)
        let rate = FeeRate(fee: old.fee, virtualSize: transaction.virtualSize)
        for slow in [rate.satoshisPerKilobyte - 1, rate.satoshisPerKilobyte] {
            #expect(throws: PlanRefusal.feeRateNotHigher(than: rate)) {
                try plan(try Self.order(invented, transaction, rate: slow), invented)
            }
        }
        func changed(_ sequence: UInt32, _ outputs: [TransactionOutput]? = nil, extra: Bool = false) throws
            -> Transaction
        {
            let inputs = transaction.inputs.map {
                TransactionInput(previousOutput: $0.previousOutput, sequence: sequence, witness: $0.witness)
            }
            let others = extra ? [TransactionInput(previousOutput: try Draft.outPoint(77), sequence: sequence)] : []
            return Transaction(
                version: 2, inputs: inputs + others, outputs: outputs ?? transaction.outputs, lockTime: 0)
        }
        for sequence: UInt32 in [.max, .max - 1] {
            #expect(throws: PlanRefusal.notReplaceable) {
                try plan(try Self.order(invented, changed(sequence)), invented)
            }
        }
        #expect(throws: Never.self) { try plan(try Self.order(invented, changed(.max - 2)), invented) }
        #expect(throws: PlanRefusal.otherCoins) {
            try plan(try Self.order(invented, changed(0, extra: true)), invented)
        }
        let more = [TransactionOutput(amount: try Amount(satoshis: 100_001), scriptPubKey: Draft.bob)]
        #expect(throws: PlanRefusal.otherCoins) { try plan(try Self.order(invented, changed(0, more)), invented) }
        var many = try Self.order(invented, transaction)
        many.descendantCount = 99
        #expect(throws: Never.self) { try plan(many, invented) }
        many.descendantCount = 100
        #expect(throws: PlanRefusal.tooManyReplaced(limit: 100)) { try plan(many, invented) }
        var high = try Self.order(invented, transaction)
        high.incrementalFeeRate = FeeRate(satoshisPerKilobyte: .max)
        #expect(throws: PlanRefusal.feeRateTooHigh(most: BitcoinLimits.highestFeeRate)) { try plan(high, invented) }
        #expect(throws: PlanRefusal.feeRateTooHigh(most: BitcoinLimits.highestFeeRate)) {
            try plan(try Self.order(invented, transaction, rate: .max), invented)
        }
        let fee = try plan(try Self.order(invented, transaction), invented).fee
        let ceiling = try fee.subtracting(Amount(satoshis: 1))
        #expect(throws: PlanRefusal.feeAboveCeiling(fee: fee, ceiling: ceiling)) {
            try plan(try Self.order(invented, transaction, ceiling: ceiling.satoshis), invented)
        }
        let twice = ReplacementOrder(
            replacing: transaction, to: .pay, coins: invented.coins + invented.coins.prefix(1),
            feeRate: FeeRate(satoshisPerKilobyte: 5_000), feeCeiling: fee, change: try invented.change())
        #expect(throws: PlanRefusal.duplicateCoin(invented.coins[0].outPoint)) { try plan(twice, invented) }
        // Its own change cannot be spent by a replacement: it disappears.
        let place = try #require(old.changeOutput)
        let vanishing = try Bitcoin.Coin(
            output: UInt32(place), of: transaction, ownership: signer.ownership, confirmations: 3)
        let selfish = ReplacementOrder(
            replacing: transaction, to: .pay, coins: invented.coins.prefix(1) + [vanishing],
            feeRate: FeeRate(satoshisPerKilobyte: 450_000), feeCeiling: .maximum, change: try invented.change())
        #expect(throws: PlanRefusal.self) { try plan(selfish, invented) }
    }

    @Test("for any transaction and any request, the replacement rules hold", arguments: 0..<3)
    func properties(_ run: UInt64) throws {
        let random = SeededRandom(seed: run)
        let signer = try LoneSigner.withBothKeys()
        var built = 0
        for _ in 0..<25 {
            var invented = InventedCoins(signer)
            for _ in 0..<(1 + random.below(4)) {
                try invented.add(UInt64(5_000 + random.below(60_000)), isSegwit: random.below(2) == 0)
            }
            let first = try invented.order(
                paying: UInt64(1_000 + random.below(60_000)), rate: UInt64(100 + random.below(4_000)))
            guard let old = try? invented.plan(first) else { continue }
            let sent = try signer.sign(old.psbt).finalised().transaction()
            for _ in 0..<random.below(3) {
                try invented.add(UInt64(3_000 + random.below(20_000)), confirmations: UInt32(random.below(2)))
            }
            let order = try Self.order(
                invented, sent, to: random.below(3) == 0 ? .cancel : .pay, rate: UInt64(1_000 + random.below(20_000)))
            do {
                let new = try plan(order, invented)
                built += 1
                try checkRules(new, sent, fee: old.fee, signer)
                if order.aim == .pay {
                    #expect(
                        new.transaction.outputs.contains { $0.scriptPubKey == Draft.bob && sent.outputs.contains($0) })
                }
            } catch is PlanRefusal {}
        }
        #expect(built > 3)
    }
}
