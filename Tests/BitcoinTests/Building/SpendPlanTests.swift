import BitcoinTestSupport
import Curves
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Spend plans")
struct SpendPlanTests {
    @Test("a plan is a PSBT ready to sign: own keys and coins are described, and it may be replaced")
    func plan() throws {
        let signer = try LoneSigner.withBothKeys()
        var invented = InventedCoins(signer)
        try invented.add(70_000, isSegwit: true, index: 1)
        try invented.add(60_000, index: 2)
        var order = try invented.order(paying: 100_000, height: 800_000)
        order.required = Set(invented.coins.map(\.outPoint))
        let plan = try invented.plan(order)
        let summary = SpendSummary(of: plan.psbt, for: signer.ownership)
        #expect(summary.refusals.isEmpty && summary.signingRequests.count == 2)
        #expect(summary.isReplaceable && plan.transaction.version == 2)
        #expect(plan.transaction.inputs.allSatisfy { $0.sequence == 0xFFFF_FFFD })
        #expect((799_901...800_000).contains(plan.transaction.lockTime))
        #expect(summary.paid.satoshis == 100_000 && summary.fee == plan.fee && summary.feeRate == plan.feeRate)
        let place = try #require(plan.changeOutput)
        #expect(summary.outputs[place].path == (try AddressPath(.change, index: 2)))
        for (index, input) in plan.psbt.inputs.enumerated() {
            #expect(input.isProven && input.map[PSBTType.Input.witnessUTXO] != nil)
            let path = try #require(summary.inputs[index].path)
            if path.index == 1 {
                #expect(input.derivations.map(\.path.description) == ["m/0/1"])
                #expect(input.derivations.map(\.key) == [try signer.segwit.key(at: path).publicKey.encoded])
                #expect(input.tapInternalKey == nil && input.tapDerivations.isEmpty)
            } else {
                #expect(input.tapDerivations.map(\.path.description) == ["m/0/2"])
                #expect(input.tapInternalKey == (try signer.account.key(at: path).internalKey))
                #expect(input.derivations.isEmpty)
            }
        }
        #expect(plan.psbt.outputs[place].tapDerivations.map(\.path.description) == ["m/1/2"])
        #expect(plan.psbt.outputs[place].tapInternalKey != nil)
        #expect(plan.psbt.outputs[1 - place].claims.isEmpty)
        // The claims are enough: a wallet without a search recognises all of its addresses.
        let narrow = try Ownership(of: signer.accounts, scanning: 0)
        let seen = SpendSummary(of: plan.psbt, for: narrow)
        #expect(
            seen.refusals.isEmpty && seen.returned == summary.returned
                && seen.signingRequests == summary.signingRequests)
        let signed = try signer.sign(plan.psbt).finalised().transaction()
        #expect((plan.selection.virtualSize - 1...plan.selection.virtualSize).contains(signed.virtualSize))
    }

    @Test("change to P2WPKH is described as such; taproot alone needs no previous transactions")
    func kinds() throws {
        let signer = try LoneSigner.withBothKeys()
        var invented = InventedCoins(signer)
        try invented.add(70_000, showsTransaction: false)
        let change = try invented.change(isSegwit: true)
        let plan = try invented.plan(try invented.order(paying: 30_000).with(change: change))
        let place = try #require(plan.changeOutput)
        #expect(plan.psbt.outputs[place].derivations.map(\.path.description) == ["m/1/2"])
        #expect(plan.psbt.outputs[place].tapInternalKey == nil)
        #expect(!plan.psbt.inputs[0].isProven)
        let other = try invented.add(50_000, isSegwit: true)
        var order = try invented.order(paying: 100_000)
        #expect(throws: PlanRefusal.missingPreviousTransactions([invented.coins[0].outPoint])) {
            try invented.plan(order)
        }
        order.required = [other.outPoint]
        #expect(throws: Never.self) { try invented.plan(try invented.order(paying: 20_000)) }
    }

    /// For any order: nothing is lost, and the fee is the requested one or slightly more.
    @Test("no satoshi is lost; the rate is kept, and at most worthless change is added", arguments: 0..<4)
    func properties(_ run: UInt64) throws {
        let random = SeededRandom(seed: run)
        let signer = try LoneSigner.withBothKeys()
        var methods: Set<CoinSelection.Method> = []
        var refused = 0
        for _ in 0..<40 {
            var invented = InventedCoins(signer)
            for _ in 0..<(1 + random.below(20)) {
                let magnitude = [1_000, 20_000, 500_000, 20_000_000][random.below(4)]
                try invented.add(
                    UInt64(200 + random.below(magnitude)), isSegwit: random.below(2) == 0,
                    confirmations: UInt32(random.below(4)), isCoinbase: random.below(20) == 0)
            }
            let rate = UInt64(100 + random.below(random.below(2) == 0 ? 5_000 : 60_000))
            var recipients = try (0..<(1 + random.below(3))).map { _ in
                SpendOrder.Recipient(
                    try InventedCoins.bob(), .exactly(try Amount(satoshis: UInt64(1_000 + random.below(1_000_000)))))
            }
            if random.below(5) == 0 {
                recipients.insert(
                    SpendOrder.Recipient(try InventedCoins.bob(), .everythingLeft),
                    at: random.below(recipients.count + 1))
            }
            var order = try invented.order(paying: 1_000, rate: rate, ceiling: 100_000_000).paying(recipients)
            order.frozen = Set(invented.coins.filter { _ in random.below(6) == 0 }.map(\.outPoint))
            order.leastConfirmations = UInt32(random.below(3))
            let seed = (0..<32).map { _ in UInt8(random.below(256)) }
            do {
                let plan = try invented.plan(order, seed: seed)
                methods.insert(plan.selection.method)
                try check(plan, of: order, signer)
                #expect(try invented.plan(order.with(coins: invented.coins.reversed()), seed: seed) == plan)
            } catch PlanRefusal.insufficientFunds(let shortage) {
                refused += 1
                try check(shortage, of: order, invented, seed: seed)
            }
        }
        #expect(methods.count > 1 && refused > 0 && refused < 40)
    }

    private func check(_ plan: SpendPlan, of order: SpendOrder, _ signer: LoneSigner) throws {
        let selection = plan.selection
        #expect(try plan.feeOfTransaction == plan.fee.satoshis)
        #expect(SpendSummary(of: plan.psbt, for: signer.ownership).virtualSize == selection.virtualSize)
        let least = try order.feeRate.fee(virtualSize: selection.virtualSize)
        // Change that would cost more than its value, and the output for it.
        let most = try Amount.sum([
            least, order.feeRate.fee(virtualSize: 43), FeeRate(satoshisPerKilobyte: 10_000).fee(virtualSize: 58),
        ])
        #expect(plan.fee >= least && plan.fee <= (selection.change == nil && plan.changeOutput == nil ? most : least))
        #expect(Set(selection.coins.map(\.outPoint)).count == selection.coins.count)
        #expect(Set(selection.coins.map(\.outPoint)) == Set(plan.transaction.inputs.map(\.previousOutput)))
        for coin in selection.coins {
            #expect(!order.frozen.contains(coin.outPoint) && coin.confirmations >= order.leastConfirmations)
            #expect(!coin.isCoinbase)
        }
        // The recipients are all present, in order, with their amounts.
        var outputs = plan.transaction.outputs
        if let place = plan.changeOutput {
            let change = outputs.remove(at: place)
            #expect(change.scriptPubKey == order.change.scriptPubKey && change.amount == selection.change)
            #expect(change.amount >= change.scriptPubKey.dustLimit)
        }
        #expect(outputs.count == order.recipients.count)
        for (output, recipient) in zip(outputs, order.recipients) {
            #expect(output.scriptPubKey == recipient.address.scriptPubKey)
            if case .exactly(let amount) = recipient.share { #expect(output.amount == amount) }
        }
    }

    /// The reported shortfall is enough, and not one satoshi less.
    private func check(_ shortage: PlanRefusal.Shortage, of order: SpendOrder, _ invented: InventedCoins, seed: [UInt8])
        throws
    {
        func sum(_ isWanted: (Bitcoin.Coin) -> Bool) throws -> Amount {
            try Amount.sum(invented.coins.filter(isWanted).map(\.amount))
        }
        let isFrozen = { (coin: Bitcoin.Coin) in order.frozen.contains(coin.outPoint) }
        let waits = { (coin: Bitcoin.Coin) in coin.confirmations < order.leastConfirmations || coin.isCoinbase }
        #expect(try shortage.frozen == sum(isFrozen))
        #expect(try shortage.waiting == sum { !isFrozen($0) && waits($0) })
        #expect(try shortage.available == sum { !isFrozen($0) && !waits($0) })
        #expect(shortage.missing > .zero)
        guard !order.recipients.contains(where: { $0.share == .everythingLeft }) else { return }
        // A coin with exactly this value after its own cost, and one with a virtual byte less.
        let input = try order.feeRate.fee(virtualSize: 58).satoshis
        let few = try order.feeRate.fee(virtualSize: 2).satoshis + 2
        for less in [0, few] where shortage.missing.satoshis + input > less + 200 {
            var more = invented
            try more.add(shortage.missing.satoshis + input - less, confirmations: 9)
            let again = order.with(coins: more.coins)
            if less == 0 {
                #expect(throws: Never.self) { try more.plan(again, seed: seed) }
            } else {
                #expect(throws: PlanRefusal.self) { try more.plan(again, seed: seed) }
            }
        }
    }

    @Test("impossible orders are refused by name")
    func refused() throws {
        let signer = try LoneSigner.withBothKeys()
        var invented = InventedCoins(signer)
        try invented.add(100_000)
        try invented.add(50_000, isSegwit: true)
        let order = try invented.order(paying: 60_000)
        let bob = try InventedCoins.bob()
        func refusal(_ change: (inout SpendOrder) throws -> Void) throws -> PlanRefusal? {
            var changed = order
            try change(&changed)
            do {
                _ = try invented.plan(changed)
                return nil
            } catch {
                return error
            }
        }
        #expect(try refusal { _ in } == nil)
        #expect(try refusal { $0 = $0.paying([]) } == .noRecipients)
        let rest = SpendOrder.Recipient(bob, .everythingLeft)
        #expect(try refusal { $0 = $0.paying([rest, rest]) } == .severalTakeTheRest)
        let tiny = SpendOrder.Recipient(bob, .exactly(try Amount(satoshis: 293)))
        let dust = PlanRefusal.dust(recipient: 1, least: try Amount(satoshis: 294))
        #expect(try refusal { $0 = $0.paying([rest, tiny]) } == dust)
        let nothing = SpendOrder.Recipient(bob, .exactly(.zero))
        #expect(try refusal { $0 = $0.paying([rest, nothing]) } == dust)
        // An x-coordinate without a point: no key could sign.
        let nobody = try #require(
            Address<Checked>(ScriptPubKey(.p2tr(outputKey: [UInt8](repeating: 0xFF, count: 32))), on: .regtest))
        #expect(
            try refusal { $0 = $0.paying([SpendOrder.Recipient(nobody, .everythingLeft)]) }
                == .unspendable(recipient: 0))
        for address in [
            try signer.account.address(at: AddressPath(.receive, index: 0)),
            try signer.segwit.address(at: AddressPath(.receive, index: 0)),
            try #require(Address<Checked>(order.change.scriptPubKey, on: .regtest)),
        ] {
            let own = SpendOrder.Recipient(address, .exactly(try Amount(satoshis: 10_000)))
            #expect(try refusal { $0 = $0.paying([own]) } == .ownAddress(recipient: 0))
            #expect(
                try refusal {
                    $0 = $0.paying([own]); $0.mayPayOwnAddresses = true
                } == nil)
        }
        let whole = SpendOrder.Recipient(bob, .exactly(.maximum))
        #expect(
            try refusal { $0 = $0.paying([whole, SpendOrder.Recipient(bob, .exactly(try Amount(satoshis: 300)))]) }
                == .impossibleAmount)
        var rich = InventedCoins(signer)
        for _ in 0..<2 { try rich.add(Amount.maximum.satoshis) }
        #expect(throws: PlanRefusal.impossibleAmount) { try rich.plan(try rich.order(paying: 60_000)) }
        let stranger = try LoneSigner(secret: 9, ecdsa: 10)
        let theirs = InventedCoins(stranger)
        #expect(try refusal { $0 = $0.with(change: try theirs.change()) } == .foreignChange)
        #expect(try refusal { $0 = $0.with(change: try theirs.change(isSegwit: true)) } == .foreignChange)
        var foreign = InventedCoins(stranger)
        let coin = try foreign.add(70_000)
        #expect(try refusal { $0 = $0.with(coins: foreign.coins) } == .foreignCoin(coin.outPoint))
        #expect(
            try refusal { $0 = $0.with(coins: $0.coins + $0.coins.prefix(1)) }
                == .duplicateCoin(invented.coins[0].outPoint))
        let missing = try Draft.outPoint(3)
        #expect(try refusal { $0.required = [missing] } == .unavailableCoin(missing))
        #expect(
            try refusal {
                $0.required = [invented.coins[0].outPoint]; $0.frozen = $0.required
            } == .unavailableCoin(invented.coins[0].outPoint))
        #expect(
            try refusal {
                $0.required = [invented.coins[0].outPoint]; $0.leastConfirmations = 7
            } == .unavailableCoin(invented.coins[0].outPoint))
        for (rate, expected) in [
            (UInt64(99), PlanRefusal.feeRateTooLow(least: FeeRate(satoshisPerKilobyte: 100))),
            (5_000_001, .feeRateTooHigh(most: FeeRate(satoshisPerKilobyte: 5_000_000))),
            (.max, .feeRateTooHigh(most: FeeRate(satoshisPerKilobyte: 5_000_000))),
        ] {
            #expect(throws: expected) { try invented.plan(try invented.order(paying: 60_000, rate: rate)) }
        }
        let fee = try invented.plan(order).fee
        #expect(throws: PlanRefusal.feeAboveCeiling(fee: fee, ceiling: try fee.subtracting(Amount(satoshis: 1)))) {
            try invented.plan(try invented.order(paying: 60_000, ceiling: fee.satoshis - 1))
        }
        #expect(throws: Never.self) { try invented.plan(try invented.order(paying: 60_000, ceiling: fee.satoshis)) }
        #expect(throws: PlanRefusal.badBlockHeight) {
            try invented.plan(try invented.order(paying: 60_000, height: 500_000_000))
        }
        #expect(throws: PlanRefusal.foreignChange) {
            try SpendPlan(order, for: .nobody(on: .regtest), seed: InventedCoins.seed)
        }
    }

    @Test("a transaction that nodes do not relay, or with too many inputs, is not built")
    func tooLarge() throws {
        let signer = try LoneSigner()
        var invented = InventedCoins(signer)
        for _ in 0..<401 { try invented.add(100_000) }
        #expect(throws: PlanRefusal.tooManyInputs(limit: 400)) { try invented.plan(try invented.order(paying: nil)) }
        #expect(throws: PlanRefusal.tooManyInputs(limit: 400)) {
            try invented.plan(try invented.order(paying: 39_900_000))
        }
        var picked = try invented.order(paying: 1_000)
        picked.required = Set(invented.coins.map(\.outPoint))
        #expect(throws: PlanRefusal.tooManyInputs(limit: 400)) { try invented.plan(picked) }
        let many = Array(
            repeating: SpendOrder.Recipient(try InventedCoins.bob(), .exactly(try Amount(satoshis: 1_000))),
            count: 3_300)
        #expect {
            try invented.plan(try invented.order(paying: 1_000).paying(many))
        } throws: { error in
            if case PlanRefusal.tooLarge(let weight)? = error as? PlanRefusal { weight > 400_000 } else { false }
        }
    }

    @Test("the whole balance goes to one recipient; coins that cost more than their value stay")
    func sweep() throws {
        let signer = try LoneSigner.withBothKeys()
        var invented = InventedCoins(signer)
        try invented.add(100_000)
        try invented.add(50_000, isSegwit: true)
        let poor = try invented.add(287)
        let plan = try invented.plan(try invented.order(paying: nil))
        #expect(plan.leftBehind == [poor.outPoint] && plan.changeOutput == nil && plan.selection.method == .prescribed)
        #expect(plan.transaction.inputs.count == 2 && plan.transaction.outputs.count == 1)
        #expect(try plan.fee == FeeRate(satoshisPerKilobyte: 5_000).fee(virtualSize: plan.selection.virtualSize))
        #expect(try plan.feeOfTransaction == plan.fee.satoshis)
        // Unless it is requested.
        var order = try invented.order(paying: nil)
        order.required = [poor.outPoint]
        #expect(try invented.plan(order).leftBehind.isEmpty)
        // Beside others with their amounts, at their positions.
        let bob = try InventedCoins.bob()
        let exactly = SpendOrder.Recipient(bob, .exactly(try Amount(satoshis: 30_000)))
        let both = try invented.plan(order.paying([exactly, SpendOrder.Recipient(bob, .everythingLeft), exactly]))
        #expect(both.transaction.outputs.map { $0.amount.satoshis == 30_000 } == [true, false, true])
        // To the satoshi: the least worthwhile output, or nothing.
        var small = InventedCoins(signer)
        try small.add(294 + 495)
        #expect(try small.plan(try small.order(paying: nil)).transaction.outputs[0].amount.satoshis == 294)
        var smaller = InventedCoins(signer)
        try smaller.add(293 + 495)
        #expect {
            try smaller.plan(try smaller.order(paying: nil))
        } throws: { error in
            if case PlanRefusal.insufficientFunds(let shortage)? = error as? PlanRefusal {
                shortage.missing.satoshis == 1
            } else {
                false
            }
        }
    }

    @Test("the change may be at any position, and the inputs in any order; the lock time is sometimes an earlier one")
    func order() throws {
        let signer = try LoneSigner()
        var invented = InventedCoins(signer)
        for _ in 0..<2 { try invented.add(50_000) }
        var places: Set<Int?> = []
        var firsts: Set<OutPoint> = []
        var lockTimes: [UInt32] = []
        for number in 0..<60 {
            let plan = try invented.plan(
                try invented.order(paying: 60_000, height: 1_000), seed: [UInt8](repeating: UInt8(number), count: 32))
            places.insert(plan.changeOutput)
            firsts.insert(plan.transaction.inputs[0].previousOutput)
            lockTimes.append(plan.transaction.lockTime)
        }
        #expect(places == [0, 1] && firsts.count == 2)
        // Also where the choice of coins is clear.
        var picked = try invented.order(paying: 60_000)
        picked.required = Set(invented.coins.map(\.outPoint))
        let orders = try (0..<20).map {
            try invented.plan(picked, seed: [UInt8](repeating: $0, count: 32)).transaction.inputs[0].previousOutput
        }
        #expect(Set(orders).count == 2)
        #expect(lockTimes.allSatisfy { (901...1_000).contains($0) })
        #expect((40..<60).contains(lockTimes.count { $0 == 1_000 }))
        #expect(try invented.plan(try invented.order(paying: 60_000, height: 0)).transaction.lockTime == 0)
        #expect(try invented.plan(try invented.order(paying: 60_000)).transaction.lockTime == 0)
        #expect(try invented.plan(try invented.order(paying: 60_000, height: 3)).transaction.lockTime <= 3)
    }

    @Test("a coin has to match its transaction, and an own key")
    func coins() throws {
        let signer = try LoneSigner.withBothKeys()
        var invented = InventedCoins(signer)
        let coin = try invented.add(70_000, isSegwit: true)
        let transaction = try #require(coin.previousTransaction)
        let again = try Bitcoin.Coin(output: 0, of: transaction, ownership: signer.ownership, confirmations: 6)
        #expect(again == coin && again.output == transaction.outputs[0])
        #expect(throws: BitcoinError.badTransaction) {
            try Bitcoin.Coin(output: 1, of: transaction, ownership: signer.ownership, confirmations: 6)
        }
        #expect(throws: BitcoinError.foreignOutput) {
            try Bitcoin.Coin(output: 0, of: transaction, ownership: .nobody(on: .regtest), confirmations: 6)
        }
        func make(
            _ outPoint: OutPoint, _ satoshis: UInt64 = 70_000, key: DerivedKey? = nil, script: ScriptPubKey? = nil
        ) throws -> Bitcoin.Coin {
            try Bitcoin.Coin(
                outPoint,
                output: TransactionOutput(
                    amount: try Amount(satoshis: satoshis), scriptPubKey: script ?? coin.key.scriptPubKey),
                key: key ?? coin.key, confirmations: 6, previousTransaction: transaction)
        }
        #expect(throws: Never.self) { try make(coin.outPoint) }
        #expect(throws: BitcoinError.foreignOutput) { try make(coin.outPoint, script: Draft.bob) }
        #expect(throws: BitcoinError.foreignOutput) { try make(coin.outPoint, key: try invented.change()) }
        #expect(throws: BitcoinError.badTransaction) { try make(coin.outPoint, 70_001) }
        #expect(throws: BitcoinError.badTransaction) { try make(OutPoint(transaction: transaction.id, index: 1)) }
        #expect(throws: BitcoinError.badTransaction) { try make(Draft.outPoint(0)) }
        // A new coin is identified by its transaction, whatever the claims are.
        let nothing = OutPoint(transaction: try TransactionID(String(repeating: "0", count: 64)), index: .max)
        let mined = Transaction(
            version: 2, inputs: [TransactionInput(previousOutput: nothing, scriptSig: [1, 1], sequence: .max)],
            outputs: transaction.outputs, lockTime: 0)
        for (confirmations, isImmature) in [(UInt32(99), true), (100, false)] {
            let coin = try Bitcoin.Coin(
                output: 0, of: mined, ownership: signer.ownership, confirmations: confirmations)
            #expect(coin.isCoinbase && coin.isImmature == isImmature)
        }
    }

    @Test("every refusal has its own message")
    func words() throws {
        let (rate, amount, outPoint) = (FeeRate(satoshisPerKilobyte: 1_000), Amount.zero, try Draft.outPoint(1))
        let refusals: [PlanRefusal] = [
            .noRecipients, .severalTakeTheRest, .dust(recipient: 1, least: amount), .unspendable(recipient: 1),
            .ownAddress(recipient: 1), .foreignChange, .badBlockHeight, .impossibleAmount, .feeRateTooLow(least: rate),
            .feeRateTooHigh(most: rate), .feeAboveCeiling(fee: amount, ceiling: amount),
            .insufficientFunds(.init(missing: amount, available: amount, frozen: amount, waiting: amount)),
            .tooManyInputs(limit: 1), .tooLarge(weight: 1), .duplicateCoin(outPoint), .unavailableCoin(outPoint),
            .foreignCoin(outPoint), .missingPreviousTransactions([outPoint]), .notReplaceable, .otherCoins,
            .feeRateNotHigher(than: rate), .tooManyReplaced(limit: 1), .nothingToSpend, .refused([.noOutputs]),
        ]
        #expect(Set(refusals.map(\.description)).count == refusals.count)
        #expect(refusals.allSatisfy { $0.description.contains(" ") && $0.description.last != "." })
    }
}
