/// The transactions that move all coins to one address: several, where one cannot spend them all.
///
/// Each spends at most as many coins as are signed at once, and shows no more of the transactions that made them than fits into a
/// PSBT. The most valuable coins go first, so that whatever comes in between, most is moved. No two of them spend the same coin:
/// each is valid whatever becomes of the others.
public struct SweepPlan: Sendable {
    /// Why a coin stays where it is.
    public enum Obstacle: CaseIterable, Hashable, Sendable {
        /// It waits to be mined.
        case waiting
        /// It is new bitcoin, which cannot be spent for 100 blocks.
        case immature
        /// It costs more to move than it is worth.
        case worthless
        /// The transaction that made it is too large to be shown in a PSBT.
        case largeOrigin
        /// The fees of the transactions before it have used up the ceiling.
        case aboveCeiling
    }

    /// In the order in which they are to be signed and sent. At least one.
    public let rounds: [SpendPlan]
    /// What is not moved.
    public let staying: [(coin: Coin, obstacle: Obstacle)]

    /// Plans the transactions.
    ///
    /// - Parameters:
    ///   - feeCeiling: for all transactions together. What would go beyond it stays.
    ///   - change: a key of the wallet whose coins these are. It gets nothing.
    ///   - seed: 32 random bytes. The same coins with the same seed give the same plans.
    /// - Throws: the reason why not even the first transaction can be made.
    public init(
        paying address: Address<Checked>, from coins: [Coin], feeRate: FeeRate, feeCeiling: Amount, change: DerivedKey,
        blockHeight: UInt32?, for ownership: Ownership, seed: [UInt8]
    ) throws(PlanRefusal) {
        try SpendPlan.checkRate(feeRate)
        try CoinPool.check(coins)
        var staying = CoinBatch.unspendable(among: coins)
        var (rounds, ceiling): ([SpendPlan], Amount) = ([], feeCeiling)
        let batches = CoinBatch.all(of: coins, at: feeRate, staying: &staying)
        for (index, batch) in batches.enumerated() {
            let order = SpendOrder(
                paying: [.init(address, .everythingLeft)], from: batch.coins, feeRate: feeRate, feeCeiling: ceiling,
                change: change, blockHeight: blockHeight)
            do throws(PlanRefusal) {
                let plan = try SpendPlan(order, for: ownership, seed: seed)
                rounds.append(plan)
                ceiling = (try? ceiling.subtracting(plan.fee)) ?? .zero
            } catch {
                guard !rounds.isEmpty else { throw error }
                switch error {
                // Together the last ones are worth less than the output that they would need.
                case .insufficientFunds: staying += batch.coins.map { ($0, .worthless) }
                case .feeAboveCeiling:
                    staying += batches[index...].flatMap(\.coins).map { ($0, .aboveCeiling) }
                    self.rounds = rounds
                    self.staying = staying
                    return
                default: throw error
                }
            }
        }
        guard !rounds.isEmpty else {
            let pool = try CoinPool(coins, required: [], frozen: [], leastConfirmations: 1)
            throw pool.shortage(of: Int64(address.scriptPubKey.dustLimit.satoshis), beside: [])
        }
        self.rounds = rounds
        self.staying = staying
    }

    /// What the address gets.
    public var paid: Amount { sum { $0.psbt.unsignedTransaction.outputs.map(\.amount) } }

    /// What the miners get.
    public var fee: Amount { sum { [$0.fee] } }

    private func sum(_ amounts: (SpendPlan) -> [Amount]) -> Amount {
        // Parts of what the coins are worth, of which the sum was checked.
        (try? Amount.sum(rounds.flatMap(amounts))) ?? .maximum
    }
}

/// Coins that one transaction can spend.
struct CoinBatch {
    private(set) var coins: [Coin] = []
    private var size = 0

    /// Whether the coin was added; false if there is no room.
    private mutating func add(_ coin: Coin) -> Bool {
        let more = coin.previousTransaction?.encoded.count ?? 0
        guard coins.count < BitcoinLimits.ownInputs, size + more <= BitcoinLimits.shownOrigins else { return false }
        coins.append(coin)
        size += more
        return true
    }

    /// The most valuable coins that can be spent and are worth it, in as many batches as they take.
    static func all(
        of coins: [Coin], at rate: FeeRate, staying: inout [(coin: Coin, obstacle: SweepPlan.Obstacle)]
    ) -> [CoinBatch] {
        var batches: [CoinBatch] = []
        var batch = CoinBatch()
        for coin in spendable(coins).sorted(by: { SelectionProblem.isWorthMore($0, $1, at: rate) }) {
            guard SelectionProblem.effectiveValue(of: coin, at: rate) > 0 else {
                staying.append((coin, .worthless))
                continue
            }
            if batch.add(coin) { continue }
            if !batch.coins.isEmpty { batches.append(batch) }
            batch = CoinBatch()
            if !batch.add(coin) { staying.append((coin, .largeOrigin)) }
        }
        return batch.coins.isEmpty ? batches : batches + [batch]
    }

    /// The least valuable coins that are worth spending, as many as one transaction can spend.
    ///
    /// - Parameter most: at most so many.
    static func smallest(of coins: [Coin], at rate: FeeRate, most: Int) -> [Coin] {
        var batch = CoinBatch()
        for coin in spendable(coins).sorted(by: { SelectionProblem.isWorthMore($1, $0, at: rate) })
        where batch.coins.count < most && SelectionProblem.effectiveValue(of: coin, at: rate) > 0 {
            // A coin from a large transaction keeps no other one out.
            _ = batch.add(coin)
        }
        return batch.coins
    }

    static func unspendable(among coins: [Coin]) -> [(coin: Coin, obstacle: SweepPlan.Obstacle)] {
        coins.filter { !isSpendable($0) }.map { ($0, $0.confirmations == 0 ? .waiting : .immature) }
    }

    private static func spendable(_ coins: [Coin]) -> [Coin] { coins.filter(isSpendable) }

    private static func isSpendable(_ coin: Coin) -> Bool { coin.confirmations > 0 && !coin.isImmature }
}
