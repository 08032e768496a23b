/// The previous transactions of a plan's coins. If one of the coins is P2WPKH, a PSBT contains each of them whole, and
/// has room for ``BitcoinLimits/shownOrigins`` bytes. So a person who pays in large transactions must not prevent the
/// other coins from being spent.
struct ShownOrigins {
    /// The sizes in bytes, by coin.
    private var sizes: [OutPoint: Int] = [:]

    /// Returns the chosen coins without room, starting with those from the largest transactions.
    ///
    /// - Parameter required: coins that are spent in any case.
    /// - Throws: ``PlanRefusal/largeOrigins(_:)`` if even the required coins have no room.
    mutating func excess(of coins: [Coin], beside required: [Coin]) throws(PlanRefusal) -> Set<OutPoint> {
        guard coins.contains(where: \.isSegwit) else { return [] }
        let fixed = Set(required.map(\.outPoint))
        var room = BitcoinLimits.shownOrigins - required.reduce(0) { $0 + size(of: $1) }
        let chosen = coins.filter { !fixed.contains($0.outPoint) }.map { (coin: $0, size: size(of: $0)) }
        let sorted = chosen.sorted {
            $0.size == $1.size ? $0.coin.outPoint.precedes($1.coin.outPoint) : $0.size < $1.size
        }
        var excess: Set<OutPoint> = []
        for (coin, size) in sorted {
            room -= size
            if room < 0 { excess.insert(coin.outPoint) }
        }
        if excess.isEmpty, room < 0 { throw .largeOrigins(required.map(\.outPoint)) }
        return excess
    }

    /// Returns the coins without room if all are to be spent, keeping the most valuable ones.
    ///
    /// - Parameter coins: the coins in the order of their value.
    mutating func excess(ofMostValuable coins: [Coin], beside required: [Coin]) -> Set<OutPoint> {
        guard (coins + required).contains(where: \.isSegwit) else { return [] }
        var room = BitcoinLimits.shownOrigins - required.reduce(0) { $0 + size(of: $1) }
        var excess: Set<OutPoint> = []
        for coin in coins {
            let size = size(of: coin)
            if size <= room { room -= size } else { excess.insert(coin.outPoint) }
        }
        return excess
    }

    private mutating func size(of coin: Coin) -> Int {
        if let known = sizes[coin.outPoint] { return known }
        let size = coin.previousTransaction?.encoded.count ?? 0
        sizes[coin.outPoint] = size
        return size
    }
}

extension SelectionProblem {
    /// Solves like ``solved(seed:_:)``, without coins for whose transactions a PSBT has no room beside the others.
    ///
    /// - Returns: the selection, and the coins that were left out.
    /// - Throws: as ``solved(seed:_:)``, and ``PlanRefusal/largeOrigins(_:)`` if the coins are worth enough but have no
    ///   room together.
    func solvedWithinRoom(
        seed: [UInt8], _ pool: CoinPool
    ) throws(PlanRefusal) -> (selection: CoinSelection, leftOut: Set<OutPoint>) {
        var origins = ShownOrigins()
        var (problem, leftOut): (SelectionProblem, Set<OutPoint>) = (self, [])
        for _ in 0..<Self.attempts {
            let selection: CoinSelection
            do throws(PlanRefusal) { selection = try problem.solved(seed: seed, pool) } catch {
                guard !leftOut.isEmpty else { throw error }
                break
            }
            let excess = try origins.excess(of: selection.coins, beside: required)
            if excess.isEmpty { return (selection, leftOut) }
            leftOut.formUnion(excess)
            problem = without(leftOut)
        }
        // The coins that were left out may be worth more than the rest: the last resort is the most valuable coins that
        // have room.
        leftOut = origins.excess(ofMostValuable: candidates, beside: required)
        do throws(PlanRefusal) { return (try without(leftOut).solved(seed: seed, pool), leftOut) } catch {
            throw .largeOrigins(leftOut.sorted { $0.precedes($1) })
        }
    }

    /// The number of attempts; each leaves out more coins than the one before. An attacker who pays in large
    /// transactions runs out of money before the attempts run out.
    private static let attempts = 32

    private func without(_ coins: Set<OutPoint>) -> SelectionProblem {
        SelectionProblem(
            required: required, candidates: candidates.filter { !coins.contains($0.outPoint) }, outputs: outputs,
            change: change, rule: rule)
    }
}
