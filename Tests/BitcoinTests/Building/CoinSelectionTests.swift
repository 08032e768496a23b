import BitcoinTestSupport
import TestSupport
import Testing

@testable import Bitcoin
@testable import HDKeys

@Suite("Coin selection")
struct CoinSelectionTests {
    private static func problem(
        _ invented: InventedCoins, paying satoshis: UInt64?, rate: UInt64, required: [Bitcoin.Coin] = []
    ) throws -> SelectionProblem {
        let outputs = try satoshis.map {
            [TransactionOutput(amount: try Amount(satoshis: $0), scriptPubKey: Draft.bob)]
        }
        return SelectionProblem(
            required: required, candidates: invented.coins.filter { !required.contains($0) }, outputs: outputs ?? [],
            change: try invented.change(), rule: FeeRule(FeeRule.Line(rate: FeeRate(satoshisPerKilobyte: rate))))
    }

    @Test("sizes match the signed transaction, to the byte for taproot")
    func sizes() throws {
        let signer = try LoneSigner.withBothKeys()
        for isSegwit in [false, true] {
            var invented = InventedCoins(signer)
            for number in 0..<3 { try invented.add(50_000, isSegwit: isSegwit && number == 1) }
            var order = try invented.order(paying: 120_000)
            order.required = Set(invented.coins.map(\.outPoint))
            let plan = try invented.plan(order)
            let signed = try signer.sign(plan.psbt).finalised().transaction()
            #expect(
                (plan.selection.virtualSize - (isSegwit ? 1 : 0)...plan.selection.virtualSize)
                    .contains(signed.virtualSize))
            let size = TransactionSize(spending: plan.selection.coins, paying: plan.transaction.outputs)
            #expect(isSegwit || size.weight == signed.weight)
            #expect(SpendSummary(of: plan.psbt, for: signer.ownership).virtualSize == plan.selection.virtualSize)
        }
        // From 253 inputs on their count takes three bytes.
        var invented = InventedCoins(signer)
        for _ in 0..<253 { try invented.add(10_000) }
        let plan = try invented.plan(try invented.order(paying: nil))
        let signed = try signer.sign(plan.psbt).finalised().transaction()
        #expect(signed.virtualSize == plan.selection.virtualSize && signed.inputs.count == 253)
        #expect(
            try plan.feeOfTransaction
                == FeeRate(satoshisPerKilobyte: 5_000).fee(virtualSize: signed.virtualSize).satoshis)
    }

    @Test("a fee is rounded up, and one above all bitcoin is refused")
    func fees() throws {
        #expect(try FeeRate(satoshisPerKilobyte: 1_001).fee(virtualSize: 1_000).satoshis == 1_001)
        #expect(try FeeRate(satoshisPerKilobyte: 1_001).fee(virtualSize: 1).satoshis == 2)
        #expect(try FeeRate(satoshisPerKilobyte: 1).fee(virtualSize: 0).satoshis == 0)
        #expect(throws: BitcoinError.badAmount) { try FeeRate(satoshisPerKilobyte: .max).fee(virtualSize: 2) }
        #expect(throws: BitcoinError.badAmount) { try FeeRate(satoshisPerKilobyte: .max).fee(virtualSize: 1) }
        for weight in [1, 3, 4, 5, 229, 230, 400_000] {
            for rate: UInt64 in [0, 1, 999, 1_000, 4_999, 5_000_000] {
                let exact = (Int64(rate) * Int64(weight)).quotientAndRemainder(dividingBy: 4_000)
                let cost = FeeRule.cost(of: weight, at: FeeRate(satoshisPerKilobyte: rate))
                #expect(cost == exact.quotient + (exact.remainder > 0 ? 1 : 0))
            }
        }
        let rule = FeeRule(
            FeeRule.Line(rate: FeeRate(satoshisPerKilobyte: 2_000)),
            FeeRule.Line(rate: FeeRate(satoshisPerKilobyte: 1_000), offset: 150))
        #expect([0, 100, 150, 151, 200].map { rule.fee(virtualSize: $0) } == [150, 250, 300, 302, 400])
        let negative = FeeRule(FeeRule.Line(rate: FeeRate(satoshisPerKilobyte: 1_000), offset: -150))
        #expect([0, 150, 151].map { negative.fee(virtualSize: $0) } == [0, 0, 1])
    }

    /// All subsets, looked at one by one.
    private static func leastChangelessWaste(_ problem: SelectionProblem) -> Int64? {
        let values = problem.candidates.map(problem.effectiveValue)
        let wastes = problem.candidates.map(problem.waste)
        var best: Int64?
        for subset in 0..<(1 << values.count) {
            let chosen = values.indices.filter { subset >> $0 & 1 == 1 }
            let value = chosen.reduce(0) { $0 + values[$1] }
            guard value >= problem.target, value < problem.target + problem.changeFee + problem.leastChange else {
                continue
            }
            let waste = chosen.reduce(0) { $0 + wastes[$1] } + value - problem.target
            best = min(best ?? waste, waste)
        }
        return best
    }

    @Test(
        "branch and bound finds a set without change if there is one, and the one with the least waste",
        arguments: 0..<4)
    func branchAndBound(_ run: UInt64) throws {
        let random = SeededRandom(seed: run)
        let signer = try LoneSigner.withBothKeys()
        var found = 0
        for _ in 0..<30 {
            var invented = InventedCoins(signer)
            for _ in 0..<(2 + random.below(8)) {
                // Round amounts repeat; some cost more than their value.
                let satoshis = random.below(3) == 0 ? 10_000 * (1 + random.below(3)) : 100 + random.below(30_000)
                try invented.add(UInt64(satoshis), isSegwit: random.below(2) == 0)
            }
            let rate = UInt64([1_000, 9_999, 10_000, 10_001, 30_000][random.below(5)])
            // Amounts that some of them would pay exactly, and slightly less.
            let some = invented.coins.filter { _ in random.below(2) == 0 }
            let size = TransactionSize(
                spending: some, paying: [TransactionOutput(amount: .zero, scriptPubKey: Draft.bob)]
            ).virtualSize
            let worth = some.reduce(0) { $0 + Int($1.amount.satoshis) } - Int(rate) * size / 1_000 - random.below(900)
            guard worth > 1_000 else { continue }
            let problem = try Self.problem(invented, paying: UInt64(worth), rate: rate)
            let chosen = problem.changeless()
            let waste = chosen.map { coins in
                coins.reduce(-problem.target) { $0 + problem.waste(of: $1) + problem.effectiveValue(of: $1) }
            }
            #expect(waste == Self.leastChangelessWaste(problem), "seed \(run)")
            if chosen != nil { found += 1 }
        }
        #expect(found > 5)
    }

    @Test("a draw ends with worthwhile change, stays within the signing limit, and depends on the seed alone")
    func draw() throws {
        var invented = InventedCoins(try LoneSigner())
        for number in 0..<450 { try invented.add(UInt64(2_000 + number)) }
        let problem = try Self.problem(invented, paying: 20_000, rate: 1_000)
        let one = try #require(problem.draw(seed: InventedCoins.seed))
        #expect(problem.draw(seed: InventedCoins.seed) == one)
        #expect(problem.draw(seed: [UInt8](repeating: 6, count: 32)) != one)
        let settled = try #require(problem.settlement(of: one, by: .singleRandomDraw))
        #expect(try #require(settled.change).satoshis >= UInt64(problem.leastChange))
        #expect(problem.settlement(of: Array(one.dropLast()), by: .singleRandomDraw)?.change == nil)
        // All but the smallest are needed: 400 of the 450.
        let most = try Self.problem(invented, paying: 400 * 2_180, rate: 100)
        let drawn = try #require(most.draw(seed: InventedCoins.seed))
        #expect(drawn.count <= BitcoinLimits.ownInputs)
        let largest = try #require(most.largestFirst())
        #expect(largest.coins.count <= BitcoinLimits.ownInputs)
        #expect(try Self.problem(invented, paying: 400 * 2_420, rate: 100).draw(seed: InventedCoins.seed) == nil)
        #expect(try Self.problem(invented, paying: 400 * 2_420, rate: 100).largestFirst() == nil)
    }

    @Test("the choice with the least waste wins; required coins are taken alone if they suffice")
    func leastWaste() throws {
        var invented = InventedCoins(try LoneSigner())
        let exact = try invented.add(50_600)
        try invented.add(80_000)
        try invented.add(30_000)
        // 5 sat/vB: 99 vB without change.
        let changeless = try #require(
            try Self.problem(invented, paying: 50_000, rate: 5_000).solution(seed: InventedCoins.seed))
        #expect(changeless.coins == [exact] && changeless.method == .branchAndBound && changeless.change == nil)
        #expect(changeless.fee.satoshis == 600)
        let required = try #require(
            try Self.problem(invented, paying: 50_000, rate: 5_000, required: [invented.coins[1]]).solution(
                seed: InventedCoins.seed))
        #expect(required.coins == [invented.coins[1]] && required.method == .prescribed && required.change != nil)
        let more = try #require(
            try Self.problem(invented, paying: 50_000, rate: 5_000, required: [invented.coins[2]]).solution(
                seed: InventedCoins.seed))
        #expect(more.coins.first == invented.coins[2] && more.coins.count == 2)
        // Without a payee there is change, however little.
        let alone = try #require(
            try Self.problem(invented, paying: nil, rate: 5_000, required: [exact]).solution(seed: InventedCoins.seed))
        #expect(alone.change.map { $0.satoshis + alone.fee.satoshis } == 50_600)
        #expect(
            try Self.problem(InventedCoins(invented.signer), paying: nil, rate: 5_000).solution(
                seed: InventedCoins.seed) == nil)
        #expect(try Self.problem(invented, paying: 160_001, rate: 5_000).solution(seed: InventedCoins.seed) == nil)
    }

    @Test("an order is random, uniform, and the same for the same seed and purpose")
    func order() {
        var counts = [Int](repeating: 0, count: 6)
        for number in 0..<600 {
            var order = SeededOrder(
                seed: [UInt8](repeating: UInt8(number % 256), count: 31) + [UInt8(number / 256)], purpose: "a")
            let shuffled = order.permuted([0, 1, 2])
            counts[shuffled[0] * 2 + (shuffled[1] > shuffled[2] ? 1 : 0)] += 1
        }
        #expect(counts.allSatisfy { (60...140).contains($0) }, "\(counts)")
        var (one, two, other) = (
            SeededOrder(seed: InventedCoins.seed, purpose: "a"), SeededOrder(seed: InventedCoins.seed, purpose: "a"),
            SeededOrder(seed: InventedCoins.seed, purpose: "b")
        )
        let numbers = (0..<20).map { _ in one.below(1_000) }
        #expect((0..<20).map { _ in two.below(1_000) } == numbers)
        #expect((0..<20).map { _ in other.below(1_000) } != numbers)
        // Golden: the same on every platform.
        #expect(numbers.prefix(4) == [47, 265, 450, 209])
    }
}
