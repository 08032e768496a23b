internal import Custody
internal import Nodes
internal import Wallet

/// What `send`, `speed-up` and `cancel` do on Bitcoin.
struct BitcoinSending {
    let wallet: WalletRecord
    let node: NodeOptions
    let options: BitcoinOptions
    let fees: FeeOptions
    let signing: SigningOptions
    let waits: Bool
    let global: GlobalOptions
    let output: Output

    /// Pays somebody.
    ///
    /// - Parameters:
    ///   - recipient: an address, or the name of a contact.
    ///   - amount: with its unit, or `all`.
    ///   - isFurther: whatever became of the same payment, ordered before.
    func send(to recipient: String, amount: String, isFurther: Bool) async throws(Failure) {
        // What can be wrong on the command line is told before anybody is asked anything.
        let recipient = try Recipient(recipient, on: wallet.network)
        let share = try share(amount)
        let (ceiling, named) = (try ceiling(), try options.namedRate())
        let chain = try await node.bitcoin(for: wallet)
        let desk = try await SigningDesk.open(wallet, signing, global, output)
        let address = try recipient.address(among: await desk.book.contacts(), on: wallet.network)
        let delivery = BitcoinDelivery(chain: chain, output: output, waits: waits)
        var earlier = BitcoinEarlier()
        if case .exactly(let amount) = share {
            let history = await desk.book.history()
            earlier = try await BitcoinEarlier.found(
                paying: amount, to: address, in: history, by: chain, isFurther: isFurther,
                now: .now)
            if let waiting = earlier.unanswered {
                // Whoever calls once more because the node did not answer wants to pay once.
                try earlier.check(
                    history.first { $0.digest == waiting.digest }, expect: signing.expect, ceiling: ceiling)
                output.note("this payment was made before, and is not made a second time; --again makes a further one")
                return try await delivery.resend(waiting, through: desk)
            }
        }
        let used = await BookScripts.used(in: desk.book, on: wallet.network)
        let (rates, height) = try await attempt { () async throws(NodeError) in
            (try await chain.feeRates(), try await chain.height())
        }
        let purse = try await BitcoinPurse.found(
            by: chain, for: wallet, addresses: options.addresses.addresses, used: used, output)
        if named == nil, case .exactly(let amount) = share,
            let pending = PendingPayment.found(
                paying: amount, to: address, among: await desk.book.proposals(), of: purse),
            pending.fee <= ceiling
        {
            output.note("this payment waits in the wallet's book: it is the one that is signed")
            let expected = try? rates.high.fee(virtualSize: pending.size)
            try earlier.check(pending.psbt.unsignedTransaction)
            return try await delivery.deliver(
                pending.psbt, fee: pending.fee,
                node: NodeView(balance: try purse.total(), expectedFee: expected), earlier.remarks,
                accepting: fees.accepted, through: desk)
        }
        var order = SpendOrder(
            paying: [.init(address, share)], from: purse.coins,
            feeRate: named ?? rates.rate(fees.fee), feeCeiling: ceiling, change: try purse.freshChange(),
            blockHeight: height)
        try earlier.bind(&order)
        let seed = PlanSeed.bytes("\(address) \(share)", purse.coins, of: wallet)
        let plan = try attempt { () throws(PlanRefusal) in try SpendPlan(order, for: purse.ownership, seed: seed) }
        try earlier.check(plan.psbt.unsignedTransaction)
        if !plan.leftBehind.isEmpty {
            output.note("\(plan.leftBehind.count) coins stay: spending them would cost more than they are worth")
        }
        let expected = try? rates.high.fee(virtualSize: plan.selection.virtualSize)
        try await delivery.deliver(
            plan.psbt, fee: plan.fee, node: NodeView(balance: try purse.total(), expectedFee: expected),
            earlier.remarks, accepting: accepted, through: desk)
    }

    /// What the options accept of a transaction that is planned here. Its change is behind the last address that was used, among
    /// those that `--addresses` names.
    var accepted: Set<String> { fees.accepted.union(["far_index"]) }

    private func share(_ amount: String) throws(Failure) -> SpendOrder.Recipient.Share {
        if amount == "all" { return .everythingLeft }
        return .exactly(try Amount(MoneyUnit.amount(amount, in: .bitcoin, of: "--amount"), of: "--amount"))
    }

    func ceiling() throws(Failure) -> Amount {
        try Amount(fees.highestFee(in: .bitcoin), of: "--max-fee")
    }
}
