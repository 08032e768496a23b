internal import Amounts
internal import Custody
internal import Encoding
internal import Ethereum
internal import Nodes
internal import Payments
internal import Terminal
internal import Wallet

/// What `send`, `balance`, `speed-up` and `cancel` do on Ethereum and chains of its kind: they read the options, ask, and print.
struct EthereumSending {
    let chain: ChainID
    let wallet: WalletRecord
    let node: NodeOptions
    let options: EthereumOptions
    let global: GlobalOptions
    let output: Output

    /// - Parameter token: if given, what the accounts have of it as well.
    func balance(_ token: TokenOptions) async throws(Failure) {
        let node = try await node.ethereum(chain: chain)
        let held = try await self.token(token, on: node)
        let balance = try await attempt { () async throws(PaymentError) in
            try await EthereumBalance(of: wallet, account: options.account, token: held, on: node)
        }
        let view = EthereumBalanceView(balance, of: wallet, on: chain, held)
        try output.result(view) { view.text }
    }

    /// Pays.
    ///
    /// - Parameters:
    ///   - payee: an address, or the name of a contact, and an amount with its unit; of a token without.
    ///   - once: whether the same payment, ordered before, is this one.
    ///   - mayResend: what was signed before and never sent.
    ///   - waits: until it is mined.
    func send(
        to payee: PayeeOptions.Payee, _ once: OnceOptions, mayResend: Bool, token: TokenOptions, gas: GasOptions,
        fee: FeeOptions, signing: SigningOptions, waits: Bool
    ) async throws(Failure) {
        guard payee.amount != "all" else { throw .usage("'all' is for Bitcoin: --amount takes an amount here") }
        let (recipient, finding) = try EthereumRecipient.read(payee.name)
        let coins = token.token == nil ? try chain.amount(payee.amount, of: "--amount").value : nil
        let (highest, key) = (try fee.onEthereum(chain), try once.key())
        let node = try await node.ethereum(chain: chain)
        var held = try await self.token(token, on: node)

        let prompt = try await SigningPrompt.open(wallet, signing, global, output)
        let (flow, chain) = (prompt.flow, chain)
        let party = try recipient.address(among: await flow.book.contacts())
        let policy = try await attempt { () async throws(CustodyError) in try await flow.book.policy() }
        try attempt { () throws(PaymentError) in try held?.check(by: policy, on: chain) }
        let order =
            if let held {
                EthereumOrder(paying: try payee.amount(of: held), of: held, to: party)
            } else {
                EthereumOrder(paying: coins ?? .zero, to: party)
            }
        // Who was chosen before was looked at then: a slip of the finger is somebody else.
        let typing = await flow.book.chosen.contains(.ethereum(party)) ? nil : finding
        let payments = EthereumPayments(flow, at: node, account: options.account ?? 0)
        func plan(mayResend: Bool) async throws(PaymentError) -> EthereumPayments.Planning {
            try await payments.plan(
                order, key: key, fee: highest, overriding: gas.overrides, isFurther: once.again, mayResend: mayResend,
                findings: typing.map { [$0] } ?? [])
        }
        let planning: EthereumPayments.Planning
        do throws(PaymentError) { planning = try await plan(mayResend: mayResend) } catch {
            guard case .nonce(.unsent(let unsent)) = error, !signing.yes, signing.expect == nil else {
                throw error.failure
            }
            guard try Confirmation.ask("Send that one, too?", about: unsent.subject, insteadUse: "--resend") else {
                throw .declined()
            }
            planning = try await attempt { () async throws(PaymentError) in try await plan(mayResend: true) }
        }
        switch planning {
        case .earlier(let earlier):
            let delivered: DeliveredEthereumPayment
            do throws(PaymentError) { delivered = try await payments.conclude(earlier, untilMined: waits) } catch {
                throw error.failure.after(signing: earlier.transaction.name, nil)
            }
            try await tell(delivered, [], [], nil, through: prompt, isOrder: true)
        case .fresh(let plan):
            try await carryOut(plan, payments, prompt, accepting: fee.accepted, waits: waits, isOrder: true)
        }
    }

    /// Puts another transaction in the place of one that waits.
    ///
    /// - Parameters:
    ///   - text: its hash.
    ///   - waits: until it is mined.
    func replace(
        _ text: String, by replacement: EthereumPayments.Replacement, fee: FeeOptions, signing: SigningOptions,
        waits: Bool
    ) async throws(Failure) {
        guard text.hasPrefix("0x"), let hash = try? Hex.decode(String(text.dropFirst(2))), hash.count == 32 else {
            throw .usage(
                "a transaction of Ethereum is named by its hash: 0x and 64 hexadecimal digits",
                hint: "one of Bitcoin has 64 digits without 0x, and takes no --chain")
        }
        let highest = try fee.onEthereum(chain)
        let node = try await node.ethereum(chain: chain)
        let prompt = try await SigningPrompt.open(wallet, signing, global, output)
        let (payments, plan) = try await attempt { () async throws(PaymentError) in
            try await EthereumPayments.planReplacement(
                of: hash, by: replacement, fee: highest, account: options.account, prompt.flow, at: node)
        }
        try await carryOut(plan, payments, prompt, accepting: fee.accepted, waits: waits, isOrder: false)
    }

    /// - Parameters:
    ///   - accepted: costly findings that the options of the command accept.
    ///   - isOrder: whether the caller who is told ordered the payment, and does not only speed it up or cancel it.
    private func carryOut(
        _ plan: PlannedEthereumPayment, _ payments: EthereumPayments, _ prompt: SigningPrompt,
        accepting accepted: Set<String>, waits: Bool, isOrder: Bool
    ) async throws(Failure) {
        let proposal = try await attempt { () async throws(PaymentError) in try await prompt.flow.propose(plan) }
        guard let (signed, view) = try await prompt.sign(proposal, accepting: accepted) else { return }
        let warnings = prompt.warnings(of: signed)
        let delivered: DeliveredEthereumPayment
        do throws(PaymentError) { delivered = try await payments.deliver(signed, of: plan, untilMined: waits) } catch {
            // That it failed in its block is a result, too.
            if isOrder, case .delivery(.reverted) = error { await prompt.flow.acknowledge(signed.digest) }
            throw error.failure.after(signing: signed.name, view)
        }
        try await tell(delivered, prompt.shares, warnings, view, through: prompt, isOrder: isOrder)
    }

    private func tell(
        _ delivered: DeliveredEthereumPayment, _ shares: [String], _ warnings: [String], _ view: IntentView?,
        through prompt: SigningPrompt, isOrder: Bool
    ) async throws(Failure) {
        let result = EthereumOutcome(delivered, shares: shares, warnings: warnings, intent: view)
        try output.result(result) { result.text }
        if isOrder { await prompt.flow.acknowledge(delivered.awaitedDigest) }
    }

    private func token(_ options: TokenOptions, on node: EthereumNode) async throws(Failure) -> EthereumToken? {
        guard let token = options.token else { return nil }
        let contract = try attempt(on: "--token") { () throws(EthereumError) in try EthereumAddress(token) }
        return try await attempt { () async throws(PaymentError) in
            try await EthereumToken(contract, decimals: options.decimals, on: node)
        }
    }
}

extension SignedProposal {
    /// The hash of a transaction of Ethereum.
    fileprivate var name: String {
        guard case .ethereumTransaction(let transaction) = product else { return "" }
        return transaction.name
    }
}

extension PayeeOptions.Payee {
    /// A number, in the token's usual unit, which has no name.
    fileprivate func amount(of token: EthereumToken) throws(Failure) -> UInt256 {
        if let smallest { return smallest }
        guard let amount = try? DecimalText.read(amount, token.decimals) else {
            throw .usage(
                "--amount of a token is a number without a unit, with at most \(token.decimals.count) decimals")
        }
        return amount
    }
}

extension GasOptions {
    fileprivate var overrides: EthereumPayments.Overrides {
        EthereumPayments.Overrides(gasLimit: gasLimit, nonce: nonce)
    }
}
