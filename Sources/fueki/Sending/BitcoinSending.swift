internal import Amounts
internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Payments
internal import Terminal
internal import Wallet

/// What `send`, `speed-up`, `cancel` and `coins consolidate` do on Bitcoin: they read the options, ask, and print.
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
        for payee in payees { named.append((try Recipient(payee.name, on: wallet.network), try payee.share())) }
        let (key, expected, coins) = (try once.key(), try signing.expectedDigest(), try coins.control())
        try await run { (payments, prompt, fee) async throws(Failure) in
            let contacts = await prompt.flow.book.contacts()
            var recipients: [SpendOrder.Recipient] = []
            for payee in named {
                recipients.append(
                    .init(try payee.recipient.address(among: contacts, on: wallet.network), payee.share))
            }
            let planning = try await attempt { () async throws(PaymentError) in
                try await payments.plan(
                    BitcoinOrder(paying: recipients, key: key, on: wallet.network), fee: fee, coins: coins,
                    isFurther: once.again, expecting: expected)
            }
            try await carryOut(planning, payments, prompt, isOrder: true)
        }
    }

    func speedUp(_ transaction: String) async throws(Failure) {
        let id = try Self.id(transaction)
        try await run { (payments, prompt, fee) async throws(Failure) in
            let planning = try await attempt { () async throws(PaymentError) in
                try await payments.planSpeedUp(of: id, fee: fee)
            }
            try await carryOut(planning, payments, prompt, isOrder: false)
        }
    }

    func cancel(_ transaction: String) async throws(Failure) {
        let id = try Self.id(transaction)
        try await run { (payments, prompt, fee) async throws(Failure) in
            let plan = try await attempt { () async throws(PaymentError) in
                try await payments.planCancellation(of: id, fee: fee)
            }
            try await carryOut(.fresh(plan), payments, prompt, isOrder: false)
        }
    }

    /// Joins the smallest coins into one, at an address for change that was never used.
    func consolidate(most: Int) async throws(Failure) {
        try await run { (payments, prompt, fee) async throws(Failure) in
            let plan = try await attempt { () async throws(PaymentError) in
                try await payments.planConsolidation(most: most, fee: fee)
            }
            try await carryOut(.fresh(plan), payments, prompt, isOrder: false)
        }
    }

    private func run(
        _ body: (BitcoinPayments, SigningPrompt, BitcoinFee) async throws(Failure) -> Void
    ) async throws(Failure) {
        let fee = try fees.onBitcoin(rate: options.namedRate())
        let chain = try await node.bitcoin(for: wallet)
        let prompt = try await SigningPrompt.open(wallet, signing, global, output)
        let reach = options.addresses.reach(of: wallet, in: global.walletHome)
        try await body(BitcoinPayments(prompt.flow, at: chain, reach: reach), prompt, fee)
    }

    /// - Parameter isOrder: whether the caller who is told ordered the payment, and does not only speed it up or cancel it.
    private func carryOut(
        _ planning: BitcoinPayments.Planning, _ payments: BitcoinPayments, _ prompt: SigningPrompt, isOrder: Bool
    ) async throws(Failure) {
        switch planning {
        case .earlier(let transaction):
            let delivered = try await attempt { () async throws(PaymentError) in
                try await payments.resend(transaction, untilMined: waits)
            }
            try tell(delivered, shares: [], [], nil, "is sent, as it was signed: it waits for a block")
            if isOrder, let digest = transaction.digest { await prompt.flow.acknowledge(digest) }
        case .fresh(let plan):
            let proposal = try await attempt { () async throws(PaymentError) in try await prompt.flow.propose(plan) }
            // The change of a transaction that is planned here is behind the last address that was used, among those that
            // `--addresses` names.
            let accepted = plan.isNew ? fees.accepted.union(["far_index"]) : fees.accepted
            guard let (signed, view) = try await prompt.sign(proposal, accepting: accepted) else { return }
            let warnings = prompt.warnings(of: signed)
            do throws(Failure) {
                let delivered = try await attempt { () async throws(PaymentError) in
                    try await payments.deliver(signed, of: plan, untilMined: waits)
                }
                try tell(delivered, shares: prompt.shares, warnings, view, "is sent: it waits for a block")
            } catch { throw error.after(signing: plan.psbt.unsignedTransaction.id.description, view) }
            if isOrder { await prompt.flow.acknowledge(signed.digest) }
        }
    }

    /// - Parameter waiting: what is said of one that waits for a block.
    private func tell(
        _ delivered: DeliveredBitcoinPayment, shares: [String], _ warnings: [String], _ view: IntentView?,
        _ waiting: String
    ) throws(Failure) {
        let result = BitcoinOutcome(
            delivered, on: wallet.network, shares: shares, warnings: warnings, intent: view)
        do throws(Failure) { try output.result(result) { result.text(waiting) } } catch {
            throw .lostSight(of: result.id, error)
        }
    }

    private static func id(_ text: String) throws(Failure) -> TransactionID {
        guard let id = try? TransactionID(text.lowercased()) else {
            throw .usage("'\(text)' is no identifier of a transaction, which has 64 digits")
        }
        return id
    }
}

extension PayeeOptions.Payee {
    /// How much one payee of Bitcoin gets.
    fileprivate func share() throws(Failure) -> SpendOrder.Recipient.Share {
        if amount == "all" { return .everythingLeft }
        return .exactly(try Amount(MoneyUnit.satoshis(amount, of: "--amount"), of: "--amount"))
    }
}
