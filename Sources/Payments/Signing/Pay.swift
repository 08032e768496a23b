internal import Ceremonies
internal import Custody
public import Wallet

extension BitcoinPayments {
    /// Pays an order: plans, looks for an earlier attempt, asks, signs, and sends.
    ///
    /// A payment that was made before is not made again: it is sent again if the node does not have it. If the policy
    /// requires a delay or an approval, the payment becomes a proposal in the book (``SigningFlow/propose(held:)``),
    /// and `CeremonyError.forbidden(_:)` is thrown. Acknowledge the result when it is saved: until then the same order
    /// is the same payment.
    ///
    /// - Parameters:
    ///   - confirm: shows a person the intent with all of its findings, and returns whether the person agrees.
    ///   - isAwaited: whether to wait until it is mined.
    /// - Returns: the result; nil if the person does not agree.
    /// - Throws: the errors of ``plan(_:fee:coins:isFurther:expecting:)``, ``SigningFlow/sign(_:)`` and
    ///   ``deliver(_:of:untilMined:)``.
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
    /// Pays an order: plans, looks for an earlier attempt, asks, signs, and sends.
    ///
    /// - Parameters: those of ``BitcoinPayments/pay(_:fee:untilMined:confirm:)``.
    ///   - key: the key of ``plan(_:key:fee:overriding:isFurther:mayResend:findings:)``.
    ///   - mayResend: whether an earlier signed and unsent transaction, which comes first, is sent. Ask the person
    ///     about the one in ``NonceFault/unsent(_:)``, and pay again with true.
    /// - Returns: the result; nil if the person does not agree.
    /// - Throws: the errors of ``plan(_:key:fee:overriding:isFurther:mayResend:findings:)``, ``SigningFlow/sign(_:)``
    ///   and ``deliver(_:of:untilMined:)``.
    public func pay(
        _ order: EthereumOrder, key: PaymentKey? = nil, fee: EthereumFee, mayResend: Bool = false,
        untilMined isAwaited: Bool = false, confirm: (ProposedSigning) async -> Bool
    ) async throws(PaymentError) -> DeliveredEthereumPayment? {
        switch try await plan(order, key: key, fee: fee, mayResend: mayResend) {
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
    /// - Returns: the signed proposal; nil if the person does not agree.
    /// - Throws: ``PaymentError/custody(_:)``; with `CeremonyError.forbidden(_:)` for a payment that became a proposal
    ///   in the book.
    public func sign(
        _ proposal: ProposedSigning, _ confirm: (ProposedSigning) async -> Bool
    ) async throws(PaymentError) -> SignedProposal? {
        switch try await confirmation(of: proposal, by: .question) {
        case .question(let question): return await confirm(proposal) ? try await sign(question.answeredYes()) : nil
        case .confirmed(let confirmed): return try await sign(confirmed)
        case .rehearsed: throw .flow(.rehearsal)
        case .unaccepted(let costs, _): throw .custody(.ceremony(.notAccepted(costs)))
        case .otherDigest: throw .custody(.ceremony(.notWhatWasConfirmed))
        case .refused(let refusals): throw .custody(.ceremony(.refused(refusals)))
        case .forbidden(_, .failed(let error)): throw error
        case .forbidden(let decision, _): throw .custody(.ceremony(.forbidden(decision)))
        }
    }

    /// Records that the caller has the result: from now on the same order is another payment.
    public func acknowledge(_ payment: some DeliveredPayment) async {
        if let digest = payment.acknowledgedDigest { await acknowledge(digest) }
    }

    /// Records that the caller has an error that is the payment's result: it is in a block, where it failed. Other
    /// errors leave the order open, and are ignored here.
    ///
    /// - Parameter signed: the signed payment that could not be delivered.
    public func acknowledge(_ error: PaymentError, of signed: SignedProposal) async {
        if case .delivery(.reverted) = error { await acknowledge(signed.digest) }
    }
}

/// The result of a signed payment, which the caller acknowledges when it is saved.
public protocol DeliveredPayment: Sendable {
    /// The `Intent.digest` of the payment that was ordered; nil if another machine signed it.
    var acknowledgedDigest: [UInt8]? { get }
}

extension DeliveredBitcoinPayment: DeliveredPayment {
    public var acknowledgedDigest: [UInt8]? { awaitedDigest }
}

extension DeliveredEthereumPayment: DeliveredPayment {
    public var acknowledgedDigest: [UInt8]? { awaitedDigest }
}
