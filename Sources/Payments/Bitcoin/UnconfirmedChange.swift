internal import Bitcoin
internal import HDKeys
internal import Nodes
internal import Wallet

/// The wallet's own unconfirmed change, which may be spent before it is mined.
///
/// A coin belongs to it if the wallet alone has signed and paid its transaction, and each unconfirmed ancestor of it:
/// then no other person can withdraw it. Coins from other senders never belong to it.
struct UnconfirmedChange {
    /// The coins, most valuable first.
    private var coins: [Coin] = []
    /// The unconfirmed transactions among each coin's transaction and its ancestors, by the coin's transaction.
    private var ancestries: [TransactionID: Set<TransactionID>] = [:]
    /// The sizes in virtual bytes.
    private var sizes: [TransactionID: Int] = [:]
    /// The unconfirmed coins that may not be spent.
    private var others: Set<OutPoint> = []

    /// Whether the wallet has no such coins.
    var isEmpty: Bool { coins.isEmpty }

    // MARK: - Finding the coins

    /// Searches all coins for it.
    ///
    /// - Parameter history: the history in the wallet's book.
    /// - Throws: ``PaymentError/node(_:)``.
    static func found(
        among spendable: SpendableCoins, in history: [HistoryEntry], by chain: any BitcoinChain
    ) async throws(PaymentError) -> UnconfirmedChange {
        var search = Search(chain: chain, ownership: spendable.ownership)
        for entry in history where entry.awaitsBlock && entry.chain == .bitcoin(chain.network) {
            guard let transaction = entry.transaction.flatMap({ try? Transaction(decoding: $0) }) else { continue }
            search.own[transaction.id] = transaction
        }
        let waiting = spendable.coins.filter { $0.confirmations == 0 }
        var change = UnconfirmedChange()
        change.others = Set(waiting.map(\.outPoint))
        for coin in waiting.sorted(by: { $0.amount > $1.amount }) where coin.key.path.chain == .change {
            let id = coin.outPoint.transaction
            guard let ancestry = try await attempt({ () async throws(NodeError) in try await search.ancestry(of: id) })
            else { continue }
            let known = ancestry.union(change.ancestries.values.joined())
            guard known.count < PaymentLimits.waitingAncestors else { continue }
            change.coins.append(coin)
            change.ancestries[id] = ancestry
            change.others.remove(coin.outPoint)
        }
        change.sizes = search.own.mapValues(\.virtualSize)
        return change
    }

    /// The search from coins back to mined transactions.
    private struct Search {
        let chain: any BitcoinChain
        let ownership: Ownership
        /// The wallet's own unconfirmed transactions.
        var own: [TransactionID: Transaction] = [:]
        private var known: [TransactionID: Set<TransactionID>?] = [:]

        init(chain: any BitcoinChain, ownership: Ownership) {
            self.chain = chain
            self.ownership = ownership
        }

        /// Returns the transaction and its unconfirmed ancestors; nil if one of them is not the wallet's own, or if no
        /// descendant fits.
        mutating func ancestry(of id: TransactionID) async throws(NodeError) -> Set<TransactionID>? {
            if let known = known[id] { return known }
            // Each transaction is checked once, and at most the number that may depend on each other.
            known[id] = .some(nil)
            guard known.count < 2 * PaymentLimits.waitingAncestors, let transaction = own[id],
                let queue = try await chain.queue(of: id),
                queue.descendantCount + 2 <= PaymentLimits.waitingAncestors,
                queue.ancestorSize < PaymentLimits.waitingSize
            else { return nil }
            var all: Set = [id]
            for input in transaction.inputs {
                guard let coin = try await chain.coin(at: input.previousOutput),
                    ownership.key(for: coin.output.scriptPubKey) != nil
                else { return nil }
                guard coin.confirmations == 0 else { continue }
                guard let further = try await ancestry(of: input.previousOutput.transaction) else { return nil }
                all.formUnion(further)
            }
            known[id] = .some(all)
            return all
        }
    }

    // MARK: - Planning

    /// Makes an order spend it if mined coins do not suffice.
    func offer(to order: inout SpendOrder) {
        order.leastConfirmations = 0
        order.frozen.formUnion(others)
    }

    /// Plans with as much of it as nodes relay.
    ///
    /// - Parameter plan: makes a plan with the given change.
    /// - Throws: the errors of `plan`; `problem`, if nodes would not relay the plan.
    mutating func plan(
        _ plan: (UnconfirmedChange) throws(PaymentError) -> SpendPlan, besides problem: PaymentError
    ) throws(PaymentError) -> SpendPlan {
        while !isEmpty {
            let made = try plan(self)
            let spent = Set(made.psbt.unsignedTransaction.inputs.map(\.previousOutput))
            let used = coins.filter { spent.contains($0.outPoint) }
            let ancestors = Set(used.flatMap { ancestries[$0.outPoint.transaction] ?? [] })
            let size = ancestors.reduce(made.selection.virtualSize) { $0 + (sizes[$1] ?? 0) }
            if ancestors.count < PaymentLimits.waitingAncestors, size <= PaymentLimits.waitingSize { return made }
            guard let least = used.last else { break }
            coins.removeAll { $0.outPoint == least.outPoint }
            others.insert(least.outPoint)
        }
        throw problem
    }
}

extension PaymentError {
    /// Whether unconfirmed coins may cover the shortage.
    var isShortage: Bool {
        switch self {
        case .plan(.insufficientFunds), .plan(.unavailableCoin), .duplicate(.unfinished): true
        default: false
        }
    }
}

extension PaymentFinding {
    /// Creates a finding, if a transaction spends unconfirmed change.
    ///
    /// - Parameter rivals: the transactions that it has to spend from, so that not both an earlier attempt and it can
    ///   be mined.
    init?(unconfirmedChangeIn transaction: Transaction, of coins: [Coin], besides rivals: Set<TransactionID>) {
        let spent = Set(transaction.inputs.map(\.previousOutput))
        let parents = Set(
            coins.filter { $0.confirmations == 0 && spent.contains($0.outPoint) }.map(\.outPoint.transaction))
        let ids = parents.subtracting(rivals).map(\.description).sorted()
        guard !ids.isEmpty else { return nil }
        self = .unconfirmedChange(of: ids)
    }
}
