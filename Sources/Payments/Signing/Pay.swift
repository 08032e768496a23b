internal import Ceremonies
public import Custody
internal import Wallet

extension BitcoinPayments {
    /// Pays: plans, looks for an earlier attempt, asks, signs, and hands over.
    ///
    /// A payment that was made before is not made anew: it is handed over once more if the node does not have it. What the policy allows
    /// only later, or with an approval, is kept in the book (``SigningFlow/propose(held:)``), and thrown as
    /// `CeremonyError.forbidden(_:)`. Acknowledge the result when it is saved: until then the same order is the same payment.
    ///
    /// - Parameters:
    ///   - confirm: shows a person the intent with all of its findings, and returns whether they want it signed.
    ///   - isAwaited: whether to wait until it is mined.
    /// - Returns: nil if the person does not want it.
    /// - Throws: as ``plan(_:fee:coins:isFurther:expecting:)``, ``SigningFlow/sign(_:)`` and ``deliver(_:of:untilMined:)``.
    public func pay(
        _ order: BitcoinOrder, fee: BitcoinFee, untilMined isAwaited: Bool = false,
        confirm: (ProposedSigning) async -> Bool
    ) async throws(PaymentError) -> DeliveredBitcoinPayment? {
        switch try await plan(order, fee: fee) {
        case .earlier(let transaction): return try await resend(transaction, untilMined: isAwaited)
        case .fresh(let plan):
            guard let signed = try await flow.sign(try await flow.propose(plan), confirm) else { return nil }
            return try await deliver(signed, of: plan, untilMined: isAwaited)
        }
    }
}

extension EthereumPayments {
    /// Pays: plans, looks for an earlier attempt, asks, signs, and hands over.
    ///
    /// - Parameters: as of ``BitcoinPayments/pay(_:fee:untilMined:confirm:)``.
    ///   - key: as of ``plan(_:key:fee:overriding:isFurther:mayResend:findings:)``.
    /// - Returns: nil if the person does not want it.
    /// - Throws: as ``plan(_:key:fee:overriding:isFurther:mayResend:findings:)``, ``SigningFlow/sign(_:)`` and
    ///   ``deliver(_:of:untilMined:)``.
    public func pay(
        _ order: EthereumOrder, key: PaymentKey? = nil, fee: EthereumFee, untilMined isAwaited: Bool = false,
        confirm: (ProposedSigning) async -> Bool
    ) async throws(PaymentError) -> DeliveredEthereumPayment? {
        switch try await plan(order, key: key, fee: fee) {
        case .earlier(let payment): return try await conclude(payment, untilMined: isAwaited)
        case .fresh(let plan):
            guard let signed = try await flow.sign(try await flow.propose(plan), confirm) else { return nil }
            return try await deliver(signed, of: plan, untilMined: isAwaited)
        }
    }
}

extension SigningFlow {
    /// Asks a person, and signs. A person who has seen all findings accepts all of them.
    ///
    /// - Returns: nil if the person does not want it.
    /// - Throws: ``PaymentError/custody(_:)``; with `CeremonyError.forbidden(_:)` for what waits in the book from then on.
    public func sign(
        _ proposal: ProposedSigning, _ confirm: (ProposedSigning) async -> Bool
    ) async throws(PaymentError) -> SignedProposal? {
        guard proposal.decision.verdict == .allowed else {
            if proposal.mayWait { try await hold(proposal) }
            let refusals = proposal.intent.refusals
            throw .custody(.ceremony(refusals.isEmpty ? .forbidden(proposal.decision) : .refused(refusals)))
        }
        try await requireShares()
        guard await confirm(proposal) else { return nil }
        let names = Set(proposal.intent.costs(besides: []).map(\.name))
        return try await sign(try proposal.confirmed(proposal.intent.digest, accepting: names))
    }

    /// Writes down that the caller has the result: from now on the same order is another payment.
    public func acknowledge(_ payment: DeliveredBitcoinPayment) async {
        if let digest = payment.digest { await acknowledge(digest) }
    }

    /// Writes down that the caller has the result: from now on the same order is another payment.
    public func acknowledge(_ payment: DeliveredEthereumPayment) async { await acknowledge(payment.awaitedDigest) }
}

extension ProposedSigning {
    /// Whether the policy may allow it later.
    fileprivate var mayWait: Bool {
        guard intent.refusals.isEmpty else { return false }
        switch decision.verdict {
        case .notBefore, .needsApproval: return true
        case .allowed, .denied: return false
        }
    }
}
