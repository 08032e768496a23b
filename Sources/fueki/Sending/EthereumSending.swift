internal import ErrorTexts
internal import Ethereum
internal import Nodes
internal import Payments
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

/// The payments of `send`, `speed-up` and `cancel` on Ethereum and chains of its kind.
struct EthereumSending {
    let chain: ChainID
    let payment: PaymentRun
    let options: EthereumOptions

    /// - Parameter mayResend: whether to send an earlier signed, unsent transaction without a question.
    func send(
        to named: NamedPayee, _ once: OnceOptions, mayResend: Bool, token: TokenOptions, gas: GasOptions
    ) async throws(Failure) {
        let payee = try attempt { () throws(PayeeFault) in
            try EthereumPayee(named, on: chain, isToken: token.token != nil)
        }
        let (highest, key) = (try payment.fees.onEthereum(chain), try once.key())
        let node = try await payment.node.ethereum(chain: chain, for: payment.wallet)
        let held = try await token.read(on: node)
        let prompt = try await payment.open()
        let payments = EthereumPayments(
            prompt.flow, at: node, account: options.account ?? 0, report: payment.listener)
        let (order, findings) = try await attempt { () async throws(PaymentError) in
            try await payments.order(paying: payee, of: held)
        }
        func plan(mayResend: Bool) async throws(PaymentError) -> EthereumPayments.Planning {
            try await payments.plan(
                order, key: key, fee: highest, overriding: gas.overrides, isFurther: once.again, mayResend: mayResend,
                findings: findings)
        }
        let planning: EthereumPayments.Planning
        do throws(PaymentError) { planning = try await plan(mayResend: mayResend) } catch {
            guard case .nonce(.unsent(let unsent)) = error, payment.signing.isAsked else { throw error.failure }
            guard try Confirmation.ask("Send that one, too?", about: unsent.subject, insteadUse: "--resend") else {
                throw .declined()
            }
            planning = try await attempt { () async throws(PaymentError) in try await plan(mayResend: true) }
        }
        let units = TokenUnits([order.token?.unit].compactMap(\.self))
        try await carryOut(planning, payments, prompt, units: units, isOrder: true)
    }

    /// Replaces an unconfirmed transaction.
    ///
    /// - Parameter text: the transaction's hash, or its first digits.
    func replace(_ text: String, by replacement: EthereumPayments.Replacement) async throws(Failure) {
        let short = try ShortID.read(text, on: .ethereum(chain))
        let highest = try payment.fees.onEthereum(chain)
        let node = try await payment.node.ethereum(chain: chain, for: payment.wallet)
        let prompt = try await payment.open()
        let hash = try await prompt.flow.book.transaction(named: short, as: text, on: chain)
        let (payments, plan) = try await attempt { () async throws(PaymentError) in
            try await EthereumPayments.planReplacement(
                of: hash, by: replacement, fee: highest, account: options.account, prompt.flow, at: node,
                report: payment.listener)
        }
        try await carryOut(.fresh(plan), payments, prompt, isOrder: false)
    }

    /// - Parameter units: the units of the paid tokens.
    private func carryOut(
        _ planning: EthereumPayments.Planning, _ payments: EthereumPayments, _ prompt: SigningPrompt,
        units: TokenUnits = .listed, isOrder: Bool
    ) async throws(Failure) {
        do throws(Failure) {
            try await payment.carryOut(
                prompt, units: units, isOrder: isOrder,
                pay: { ask throws(PaymentStop<Failure>) in
                    try await payments.pay(planning, untilMined: payment.waits, confirm: ask)
                }, tell: tell)
        } catch {
            guard case .earlier(let earlier) = planning else { throw error }
            throw error.after(signing: earlier.transaction.name, nil)
        }
    }

    private func tell(_ delivered: DeliveredEthereumPayment, _ told: PaymentRun.Told) throws(Failure) {
        let result = EthereumOutcome(delivered, shares: told.shares, warnings: told.warnings, intent: told.view)
        do throws(Failure) { try payment.output.receipt(result) { result.text } } catch {
            throw error.ofUnreported(result.id, isOrder: told.isOrder).after(signing: result.id, told.view)
        }
    }
}

extension TokenOptions {
    /// Returns the token with the decimals that its contract reports; nil without `--token`.
    func read(on node: EthereumNode) async throws(Failure) -> EthereumToken? {
        guard let contract = try contract(on: node.chain) else { return nil }
        return try await attempt { () async throws(PaymentError) in
            try await EthereumToken(contract, decimals: decimals, on: node)
        }
    }
}

extension GasOptions {
    fileprivate var overrides: EthereumPayments.Overrides {
        EthereumPayments.Overrides(gasLimit: gasLimit, nonce: nonce)
    }
}
