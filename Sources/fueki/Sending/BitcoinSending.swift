internal import Bitcoin
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
    /// Which coins a payment spends.
    var coins = CoinOptions()

    /// Pays one payee, or several.
    ///
    /// - Parameters:
    ///   - payees: each an address, or the name of a contact, and an amount with its unit, or `all`.
    ///   - once: whether the same payment, ordered before, is this one.
    func send(to payees: [PayeeOptions.Payee], _ once: OnceOptions) async throws(Failure) {
        // What can be wrong on the command line is told before anybody is asked anything.
        var named: [(recipient: Recipient, share: SpendOrder.Recipient.Share)] = []
        for payee in payees {
            named.append((try Recipient(payee.name, on: wallet.network), try BitcoinOrder.share(payee.amount)))
        }
        let (ceiling, rate, key) = (try ceiling(), try options.namedRate(), try once.key())
        let chain = try await node.bitcoin(for: wallet)
        let desk = try await SigningDesk.open(wallet, signing, global, output)
        let order = try BitcoinOrder(named, key: key, among: await desk.book.contacts(), on: wallet.network)
        let delivery = BitcoinDelivery(chain: chain, output: output, waits: waits, isOrder: true)
        let history = await desk.book.history()
        let (attempts, proposals) = try await attempt { [book = desk.book] () async throws(CustodyError) in
            (try await book.attempts(at: order.identity), try await book.proposals(for: order.identity))
        }
        let earlier = try await BitcoinEarlier.found(
            order, attempts: attempts, in: history, by: chain, isFurther: once.again, now: .now)
        if let waiting = earlier.resumed {
            // A caller who orders once more what was never answered wants to pay once.
            try earlier.check(history.first { $0.digest == waiting.digest }, expect: signing.expect, ceiling: ceiling)
            output.note(
                "this payment was made before, and is not made a second time"
                    + (key == nil ? "; --again makes a further one" : ""))
            return try await delivery.resend(waiting, through: desk)
        }
        if !desk.isRehearsal {
            for (digest, height) in earlier.mined {
                try await attempt { [book = desk.book] () async throws(CustodyError) in
                    try await book.note(.mined(height: UInt64(height)), of: digest)
                }
            }
        }
        let used = await BookScripts.used(in: desk.book, on: wallet.network)
        let (rates, height) = try await attempt { () async throws(NodeError) in
            (try await chain.feeRates(), try await chain.height())
        }
        let purse = try await BitcoinPurse.found(
            by: chain, for: wallet, reach: options.addresses.reach(of: wallet, in: global.walletHome),
            used: used, output)
        let frozen = await desk.book.frozen()
        if rate == nil, let effects = order.effects,
            let pending = PendingPayment.found(doing: effects, among: proposals, of: purse), pending.fee <= ceiling,
            try coins.allow(pending.psbt, frozen: frozen)
        {
            output.note("this payment waits in the wallet's book: it is the one that is signed")
            let expected = try? rates.high.fee(virtualSize: pending.size)
            try earlier.check(pending.psbt.unsignedTransaction)
            return try await delivery.deliver(
                pending.psbt, fee: pending.fee,
                node: NodeView(balance: try purse.total(), expectedFee: expected), earlier.remarks,
                accepting: fees.accepted, for: order.identity, isFurther: once.again, through: desk)
        }
        var spend = SpendOrder(
            paying: order.recipients, from: purse.coins, feeRate: rate ?? rates.rate(fees.fee), feeCeiling: ceiling,
            change: try purse.freshChange(), blockHeight: height)
        try earlier.bind(&spend, frozen: frozen)
        try coins.apply(to: &spend, frozen: frozen)
        let seed = PlanSeed.bytes(order.text, purse.coins, of: wallet)
        let plan = try attempt { () throws(PlanRefusal) in try SpendPlan(spend, for: purse.ownership, seed: seed) }
        try earlier.check(plan.psbt.unsignedTransaction)
        if !plan.leftBehind.isEmpty {
            output.note("\(plan.leftBehind.count) coins stay: spending them would cost more than they are worth")
        }
        if let sentence = plan.largeOriginsSentence { output.note("note: \(sentence)") }
        let expected = try? rates.high.fee(virtualSize: plan.selection.virtualSize)
        try await delivery.deliver(
            plan.psbt, fee: plan.fee, node: NodeView(balance: try purse.total(), expectedFee: expected),
            earlier.remarks, accepting: accepted, for: order.identity, isFurther: once.again, through: desk)
    }

    /// What the options accept of a transaction that is planned here. Its change is behind the last address that was used, among
    /// those that `--addresses` names.
    var accepted: Set<String> { fees.accepted.union(["far_index"]) }

    func ceiling() throws(Failure) -> Amount {
        try Amount(fees.highestFeeOnBitcoin(), of: "--max-fee")
    }
}

extension SpendPlan {
    /// What a person should know of coins that were passed over; nil if none was.
    var largeOriginsSentence: String? {
        guard !largeOrigins.isEmpty else { return nil }
        let (coins, verb) = largeOrigins.count == 1 ? ("1 coin", "is") : ("\(largeOrigins.count) coins", "are")
        return
            "\(coins) \(verb) not spent, because the transactions that made them are too large to be shown to a signer "
            + "with the others: " + largeOrigins.map(\.description).joined(separator: ", ")
    }
}
