internal import Bitcoin
internal import Custody
internal import Nodes
internal import Wallet

extension BitcoinSending {
    /// Pays more for a transaction that waits: puts a better one in its place if it is the wallet's and allows that, and pushes it
    /// by a child that pays for both if not. What the node does not have is sent to it once more, as it is,
    /// unless the person names a rate.
    func speedUp(_ text: String) async throws(Failure) {
        try await bump(text) { (waiting, bump) async throws(Failure) in
            if !waiting.isShown, bump.named == nil || waiting.spent == nil { return nil }
            return waiting.spent != nil && waiting.isReplaceable
                ? try await bump.replacement(.pay) : try await bump.child()
        }
    }

    /// Puts a transaction that pays nobody in the place of one that waits.
    func cancel(_ text: String) async throws(Failure) {
        try await bump(text) { (waiting, bump) async throws(Failure) in
            guard waiting.spent != nil else {
                throw Failure(
                    code: .refused, name: "not_ours",
                    message: "the wallet can only cancel what it alone pays for, while its coins are there")
            }
            return try await bump.replacement(.cancel)
        }
    }

    /// - Parameter plan: what is done; nil to send it as it is.
    private func bump(
        _ text: String,
        _ plan: (BitcoinWaiting, BitcoinBump) async throws(Failure) -> BitcoinBump.Made?
    ) async throws(Failure) {
        let (ceiling, named) = (try ceiling(), try options.namedRate())
        let chain = try await node.bitcoin(for: wallet)
        let desk = try await SigningDesk.open(wallet, signing, global, output)
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let reach = options.addresses.reach(of: wallet, in: global.walletHome)
        let ownership = try WalletScripts(of: accounts, reach).ownership
        let history = await desk.book.history()
        let waiting = try await BitcoinWaiting.found(text, by: chain, in: history, ownership: ownership)
        let rates = try await attempt { () async throws(NodeError) in try await chain.feeRates() }
        let bump = BitcoinBump(
            waiting: waiting, ownership: ownership, wallet: wallet, chain: chain, named: named,
            suggested: rates.rate(fees.fee), urgent: rates.high, ceiling: ceiling,
            reach: reach, used: await BookScripts.used(in: desk.book, on: wallet.network),
            frozen: await desk.book.frozen(), output: output)
        let delivery = BitcoinDelivery(chain: chain, output: output, waits: waits)
        guard let made = try await plan(waiting, bump) else {
            return try await delivery.resend(waiting, through: desk)
        }
        try await delivery.deliver(
            made.plan.psbt, fee: made.plan.fee,
            node: NodeView(balance: made.balance, expectedFee: made.expectedFee), accepting: accepted,
            for: made.isReplacement ? history.first { $0.digest == waiting.digest }?.order : nil, through: desk)
    }
}

/// A transaction that is to speed up or to take the place of one that waits.
struct BitcoinBump {
    /// What is to be signed, and what should be known of it.
    struct Made {
        let plan: SpendPlan
        /// What the wallet has, as far as it was looked at.
        let balance: Amount
        /// The most that it should cost.
        let expectedFee: Amount?
        /// Whether it takes the place of the one that waits: then it is another attempt at the same order.
        let isReplacement: Bool
    }

    let waiting: BitcoinWaiting
    let ownership: Ownership
    let wallet: WalletRecord
    let chain: any BitcoinChain
    /// The feerate that the person names.
    let named: FeeRate?
    let suggested: FeeRate
    /// The node's for one of the next blocks.
    let urgent: FeeRate
    let ceiling: Amount
    let reach: AddressReach
    /// Addresses that were used.
    let used: Set<ScriptPubKey>
    /// Coins that are put aside.
    let frozen: Set<OutPoint>
    let output: Output

    func replacement(_ aim: ReplacementOrder.Aim) async throws(Failure) -> Made {
        guard let spent = waiting.spent, let fee = waiting.fee else { throw PlanRefusal.otherCoins.failure }
        let least = try await incrementalFeeRate()
        let old = FeeRate(fee: fee, virtualSize: waiting.transaction.virtualSize)
        func plan(_ coins: [Coin], _ change: DerivedKey) throws(PlanRefusal) -> SpendPlan {
            var order = ReplacementOrder(
                replacing: waiting.transaction, to: aim, coins: spent + coins, feeRate: rate(above: old, by: least),
                feeCeiling: ceiling, change: change)
            order.incrementalFeeRate = least
            order.frozen = frozen
            order.descendantCount = waiting.queue?.descendantCount ?? 0
            order.descendantFees = waiting.queue?.descendantFees ?? .zero
            return try SpendPlan(order, for: ownership, seed: seed(coins))
        }
        // Mostly the change pays for it. Only if not, all coins are asked for, which takes long.
        if let change = waiting.change(of: ownership) {
            do throws(PlanRefusal) {
                return expecting(try plan([], change), least, (try? Amount.sum(spent.map(\.amount))) ?? .maximum)
            } catch {
                guard case .insufficientFunds = error else { throw error.failure }
            }
        }
        let purse = try await purse()
        let fresh = try purse.freshChange()
        let change = waiting.change(of: ownership) ?? fresh
        let made = try attempt { () throws(PlanRefusal) in try plan(purse.coins, change) }
        return expecting(made, least, try purse.total(with: spent))
    }

    /// It should cost what the node says, but has to cost more than what it replaces.
    private func expecting(_ plan: SpendPlan, _ least: FeeRate, _ balance: Amount) -> Made {
        let size = plan.selection.virtualSize
        let replaced = [waiting.fee, waiting.queue?.descendantFees, try? least.fee(virtualSize: size)]
        let told = try? urgent.fee(virtualSize: size)
        let forced = try? Amount.sum(replaced.compactMap(\.self))
        return Made(
            plan: plan, balance: balance, expectedFee: told.map { max($0, forced ?? $0) }, isReplacement: true)
    }

    func child() async throws(Failure) -> Made {
        guard let queue = waiting.queue else { throw NodeError.inconsistent(.transaction).failure }
        let least = try await incrementalFeeRate()
        let scripts = Set(waiting.transaction.outputs.map(\.scriptPubKey).filter { ownership.key(for: $0) != nil })
        let shown = try await attempt { () async throws(NodeError) in
            try await chain.coins(of: scripts, in: waiting.transaction)
        }
        let outputs = shown.compactMap { Coin($0, of: ownership) }
        guard !outputs.isEmpty else { throw PlanRefusal.nothingToSpend.failure }
        let height = try await attempt { () async throws(NodeError) in try await chain.height() }
        let purse = try await purse()
        let others = purse.coins.filter { $0.outPoint.transaction != waiting.transaction.id }
        var order = ChildOrder(
            of: waiting.transaction, fee: queue.ancestorFees, virtualSize: queue.ancestorSize,
            coins: outputs + others,
            feeRate: rate(above: FeeRate(fee: queue.ancestorFees, virtualSize: queue.ancestorSize), by: least),
            feeCeiling: ceiling, change: try purse.freshChange(), blockHeight: height)
        order.frozen = frozen
        let made = try attempt { () throws(PlanRefusal) in try SpendPlan(order, for: ownership, seed: seed(outputs)) }
        let size = queue.ancestorSize + made.selection.virtualSize
        return Made(
            plan: made, balance: try purse.total(with: outputs), expectedFee: try? urgent.fee(virtualSize: size),
            isReplacement: false)
    }

    private func purse() async throws(Failure) -> BitcoinPurse {
        let ours = waiting.transaction.outputs.map(\.scriptPubKey)
        return try await BitcoinPurse.found(
            by: chain, for: wallet, reach: reach, used: used.union(ours), output)
    }

    private func incrementalFeeRate() async throws(Failure) -> FeeRate {
        let told = try await attempt { () async throws(NodeError) in try await chain.incrementalFeeRate() }
        return max(told ?? BitcoinLimits.incrementalFeeRate, BitcoinLimits.incrementalFeeRate)
    }

    /// The named one, or the node's, which has to be higher than what is paid now.
    private func rate(above old: FeeRate, by least: FeeRate) -> FeeRate {
        named
            ?? max(suggested, FeeRate(satoshisPerKilobyte: old.satoshisPerKilobyte + least.satoshisPerKilobyte))
    }

    private func seed(_ coins: [Coin]) -> [UInt8] {
        PlanSeed.bytes("\(waiting.transaction.id)", coins, of: wallet)
    }
}
