/// The transactions that move all coins to one address: several, if one cannot spend them all.
///
/// Each spends at most as many coins as one transaction may sign, and shows as many of their previous transactions as
/// fit into a PSBT. The most valuable coins go first, so that an interruption leaves little behind. No two transactions
/// spend the same coin: each is valid independently of the others.
public struct SweepPlan: Sendable {
    /// The reasons why a coin is not moved.
    public enum Obstacle: CaseIterable, Hashable, Sendable {
        /// The coin waits to be mined.
        case waiting
        /// The coin is new bitcoin, which cannot be spent for 100 blocks.
        case immature
        /// Moving the coin costs more than it is worth.
        case worthless
        /// The previous transaction is too large for a PSBT.
        case largeOrigin
        /// The fees of the earlier transactions have used up the ceiling.
        case aboveCeiling
    }

    /// The transactions, in the order in which they are to be signed and sent. At least one.
    public let rounds: [SpendPlan]
    /// The coins that are not moved, with the reason.
    public let staying: [(coin: Coin, obstacle: Obstacle)]

    /// Plans the transactions.
    ///
    /// - Parameters:
    ///   - feeCeiling: the maximum fee of all transactions together. Coins beyond it stay.
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
                // Together the last coins are worth less than the output that they would need.
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

    /// The amount that the address gets.
    public var paid: Amount { sum { $0.psbt.unsignedTransaction.outputs.map(\.amount) } }

    /// The sum of the fees.
    public var fee: Amount { sum { [$0.fee] } }

    private func sum(_ amounts: (SpendPlan) -> [Amount]) -> Amount {
        // These are parts of the coins' sum, which was checked.
        (try? Amount.sum(rounds.flatMap(amounts))) ?? .maximum
    }
}

/// The coins of one transaction.
struct CoinBatch {
    private(set) var coins: [Coin] = []
    private var size = 0

    /// Adds a coin. Returns false if the transaction has no room for it.
    private mutating func add(_ coin: Coin) -> Bool {
        let more = coin.previousTransaction?.encoded.count ?? 0
        guard coins.count < BitcoinLimits.ownInputs, size + more <= BitcoinLimits.shownOrigins else { return false }
        coins.append(coin)
        size += more
        return true
    }

    /// Returns the most valuable coins that can be spent and are worth it, in as many batches as needed.
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

    /// Returns the least valuable coins that are worth spending, up to the number that one transaction can spend.
    ///
    /// - Parameter most: the maximum number of coins.
    static func smallest(of coins: [Coin], at rate: FeeRate, most: Int) -> [Coin] {
        var batch = CoinBatch()
        for coin in spendable(coins).sorted(by: { SelectionProblem.isWorthMore($1, $0, at: rate) })
        where batch.coins.count < most && SelectionProblem.effectiveValue(of: coin, at: rate) > 0 {
            // A coin from a large transaction is skipped, and smaller ones may follow.
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
