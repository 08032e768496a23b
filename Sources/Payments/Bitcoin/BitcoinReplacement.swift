internal import Bitcoin
internal import Custody
internal import Nodes

/// A speed-up or replacement of an unconfirmed transaction.
struct BitcoinReplacement {
    /// The planned transaction, with its findings.
    struct Made {
        let plan: SpendPlan
        /// The wallet's balance, as far as it was searched.
        let balance: Amount
        /// The highest expected fee.
        let expectedFee: Amount?
        /// Whether it replaces the unconfirmed one: then it is another attempt at the same order.
        let isReplacement: Bool
    }

    let waiting: UnconfirmedTransaction
    let ownership: Ownership
    let wallet: WalletRecord
    let chain: any BitcoinChain
    /// The feerate that the person named.
    let named: FeeRate?
    let suggested: FeeRate
    /// The node's feerate for one of the next blocks; nil if the node knows none.
    let urgent: FeeRate?
    let ceiling: Amount
    let reach: AddressReach
    /// The used addresses.
    let used: Set<ScriptPubKey>
    /// The frozen coins.
    let frozen: Set<OutPoint>
    let report: PaymentListener

    func replacement(_ aim: ReplacementOrder.Aim) async throws(PaymentError) -> Made {
        guard let spent = waiting.spent, let fee = waiting.fee else { throw .plan(.otherCoins) }
        let least = try await incrementalFeeRate()
        let height = try await attempt { () async throws(NodeError) in try await chain.height() }
        let old = FeeRate(fee: fee, virtualSize: waiting.transaction.virtualSize)
        func plan(_ coins: [Coin], _ change: DerivedKey) throws(PlanRefusal) -> SpendPlan {
            var order = ReplacementOrder(
                replacing: waiting.transaction, to: aim, coins: spent + coins, feeRate: rate(above: old, by: least),
                feeCeiling: ceiling, change: change)
            order.incrementalFeeRate = least
            order.blockHeight = height
            order.frozen = frozen
            order.descendantCount = waiting.queue?.descendantCount ?? 0
            order.descendantFees = waiting.queue?.descendantFees ?? .zero
            return try SpendPlan(order, for: ownership, seed: seed(coins))
        }
        // Usually the change pays for it. Only otherwise are all coins requested, which takes long.
        if let change = waiting.change(of: ownership) {
            do throws(PlanRefusal) {
                return expecting(try plan([], change), least, (try? Amount.sum(spent.map(\.amount))) ?? .maximum)
            } catch {
                guard case .insufficientFunds = error else { throw .plan(error) }
            }
        }
        let spendable = try await spendable()
        let fresh = try spendable.freshChange()
        let change = waiting.change(of: ownership) ?? fresh
        let made = try attempt { () throws(PlanRefusal) in try plan(spendable.coins, change) }
        return expecting(made, least, try spendable.total(with: spent))
    }

    /// Returns the plan with its expected fee: the node's estimate, but more than the replaced transaction's fee.
    private func expecting(_ plan: SpendPlan, _ least: FeeRate, _ balance: Amount) -> Made {
        let size = plan.selection.virtualSize
        let replaced = [waiting.fee, waiting.queue?.descendantFees, try? least.fee(virtualSize: size)]
        let told = try? urgent?.fee(virtualSize: size)
        let forced = try? Amount.sum(replaced.compactMap(\.self))
        return Made(
            plan: plan, balance: balance, expectedFee: told.map { max($0, forced ?? $0) }, isReplacement: true)
    }

    func child() async throws(PaymentError) -> Made {
        guard let queue = waiting.queue else { throw .node(.inconsistent(.transaction)) }
        let least = try await incrementalFeeRate()
        let scripts = Set(waiting.transaction.outputs.map(\.scriptPubKey).filter { ownership.key(for: $0) != nil })
        let shown = try await attempt { () async throws(NodeError) in
            try await chain.coins(of: scripts, in: waiting.transaction)
        }
        let outputs = shown.compactMap { Coin($0, of: ownership) }
        guard !outputs.isEmpty else { throw .plan(.nothingToSpend) }
        let height = try await attempt { () async throws(NodeError) in try await chain.height() }
        let spendable = try await spendable()
        let others = spendable.coins.filter { $0.outPoint.transaction != waiting.transaction.id }
        var order = ChildOrder(
            of: waiting.transaction, fee: queue.ancestorFees, virtualSize: queue.ancestorSize,
            coins: outputs + others,
            feeRate: rate(above: FeeRate(fee: queue.ancestorFees, virtualSize: queue.ancestorSize), by: least),
            feeCeiling: ceiling, change: try spendable.freshChange(), blockHeight: height)
        order.frozen = frozen
        let made = try attempt { () throws(PlanRefusal) in try SpendPlan(order, for: ownership, seed: seed(outputs)) }
        let size = queue.ancestorSize + made.selection.virtualSize
        return Made(
            plan: made, balance: try spendable.total(with: outputs), expectedFee: try? urgent?.fee(virtualSize: size),
            isReplacement: false)
    }

    private func spendable() async throws(PaymentError) -> SpendableCoins {
        let ours = waiting.transaction.outputs.map(\.scriptPubKey)
        return try await SpendableCoins.found(
            by: chain, for: wallet, reach: reach, used: used.union(ours), report: report)
    }

    private func incrementalFeeRate() async throws(PaymentError) -> FeeRate {
        let told = try await attempt { () async throws(NodeError) in try await chain.incrementalFeeRate() }
        return max(told ?? BitcoinLimits.incrementalFeeRate, BitcoinLimits.incrementalFeeRate)
    }

    /// Returns the named feerate, or the node's, which has to exceed the present one.
    private func rate(above old: FeeRate, by least: FeeRate) -> FeeRate {
        named
            ?? max(suggested, FeeRate(satoshisPerKilobyte: old.satoshisPerKilobyte + least.satoshisPerKilobyte))
    }

    private func seed(_ coins: [Coin]) -> [UInt8] {
        PlanSeed.bytes("\(waiting.transaction.id)", coins, of: wallet)
    }
}
