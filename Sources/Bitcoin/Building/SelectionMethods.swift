extension SelectionProblem {
    /// Selects coins.
    ///
    /// - Throws: ``PlanRefusal/insufficientFunds(_:)``, ``PlanRefusal/tooManyInputs(limit:)``.
    func solved(seed: [UInt8], _ pool: CoinPool) throws(PlanRefusal) -> CoinSelection {
        guard room >= 0 else { throw .tooManyInputs(limit: BitcoinLimits.ownInputs) }
        if let solution = solution(seed: seed) { return solution }
        let missing = shortage(with: candidates)
        // All of them would be enough, but are too many.
        guard missing > 0 else { throw .tooManyInputs(limit: BitcoinLimits.ownInputs) }
        throw pool.shortage(of: missing, beside: required)
    }

    /// Returns the choice with the smallest waste of all that the methods find; nil if no choice is enough.
    func solution(seed: [UInt8]) -> CoinSelection? {
        // Required coins are spent alone if they suffice: each further input costs, and links addresses.
        if !required.isEmpty, let enough = settlement(of: [], by: .prescribed) { return enough }
        let found = [
            changeless().flatMap { settlement(of: $0, by: .branchAndBound) },
            draw(seed: seed).flatMap { settlement(of: $0, by: .singleRandomDraw) }, largestFirst(),
        ].compactMap { $0 }
        return found.min { ($0.waste, $0.coins.count) < ($1.waste, $1.coins.count) }
    }

    /// Branch and bound: finds candidates whose effective values sum to the target, or to so little more that change
    /// would not be worth an output. Of several sets it returns the one with the smallest waste. It examines
    /// `BitcoinLimits.selectionSteps` branches.
    func changeless() -> [Coin]? {
        guard !outputs.isEmpty else { return nil }
        let values = candidates.map(effectiveValue)
        let wastes = candidates.map(waste)
        let (target, ceiling) = (self.target, self.target + changeFee + leastChange)
        // Each further input adds waste, unless the rate is lower than usual: only then may a branch continue past the
        // target.
        let wasteGrows = rule.rate >= BitcoinLimits.usualFeeRate
        var (value, waste): (Int64, Int64) = (0, 0)
        var remaining = values.reduce(0, +)
        var chosen: [Int] = []
        var best: (chosen: [Int], waste: Int64)?
        var next = 0
        for _ in 0..<BitcoinLimits.selectionSteps {
            var isDone = false
            if value + remaining < target || value >= ceiling || chosen.count > room
                || best.map({ wasteGrows && waste > $0.waste }) == true
            {
                isDone = true
            } else if value >= target {
                isDone = wasteGrows || next == candidates.count
                let total = waste + value - target
                if best.map({ total < $0.waste }) ?? true { best = (chosen, total) }
            }
            if isDone {
                guard let last = chosen.popLast() else { break }
                // Goes back to the last coin that was taken, and leaves it out.
                while next - 1 > last {
                    next -= 1
                    remaining += values[next]
                }
                value -= values[last]
                waste -= wastes[last]
            } else {
                remaining -= values[next]
                // A coin that equals one that was just left out leads to nothing new.
                let isRepetition =
                    next > 0 && chosen.last != next - 1 && values[next] == values[next - 1]
                    && wastes[next] == wastes[next - 1]
                if !isRepetition {
                    chosen.append(next)
                    value += values[next]
                    waste += wastes[next]
                }
                next += 1
            }
        }
        return best.map { $0.chosen.map { candidates[$0] } }
    }

    /// Single random draw: takes coins in random order, until they pay for everything and for change that is worth an
    /// output. The random order hides which other coins the wallet has.
    func draw(seed: [UInt8]) -> [Coin]? {
        let goal = target + changeFee + leastChange
        var order = SeededOrder(seed: seed, purpose: "coins")
        var chosen: [Coin] = []
        var value: Int64 = 0
        for coin in order.permuted(candidates) {
            chosen.append(coin)
            value += effectiveValue(of: coin)
            if chosen.count > room, let least = chosen.indices.min(by: { leastValue(chosen[$0], chosen[$1]) }) {
                value -= effectiveValue(of: chosen.remove(at: least))
            }
            if value >= goal { return chosen }
        }
        return nil
    }

    private func leastValue(_ left: Coin, _ right: Coin) -> Bool {
        effectiveValue(of: left) < effectiveValue(of: right)
    }

    /// Takes the most valuable coins, as few as possible. It finds a choice whenever one exists.
    func largestFirst() -> CoinSelection? {
        for count in 0...max(0, min(room, candidates.count)) {
            if let enough = settlement(of: Array(candidates.prefix(count)), by: .largestFirst) { return enough }
        }
        return nil
    }
}
