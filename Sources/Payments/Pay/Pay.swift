public import SigningSession
public import Wallet

/// A payment that was carried out.
public struct Paid<Delivered: DeliveredPayment>: Sendable {
    /// The result.
    public let delivered: Delivered
    /// The signed proposal; nil if an earlier attempt at the same order was found.
    public let signed: SignedProposal?
}

/// The reason why a payment was not carried out.
public enum PaymentStop<Refusal: Error>: Error {
    /// The question to the person threw this. Nothing was signed.
    case refused(Refusal)
    /// A step failed before anything was signed, or an earlier attempt could not be followed.
    case failed(PaymentError)
    /// It is signed, and a step after that failed.
    case undelivered(SignedProposal, PaymentError)
}

extension PaymentStop where Refusal == PaymentError {
    /// The error of the step or of the question.
    fileprivate var cause: PaymentError {
        switch self {
        case .refused(let error), .failed(let error), .undelivered(_, let error): error
        }
    }
}

extension BitcoinPayments {
    /// Pays an order: plans, looks for an earlier attempt, asks, signs, and sends.
    ///
    /// A payment that was made before is not made again: it is sent again if the node does not have it. If the policy
    /// requires a delay or an approval, the payment becomes a proposal in the book (`SigningFlow.propose(held:)`),
    /// and `CeremonyError.forbidden(_:)` is thrown. Acknowledge the result when it is saved: until then the same order
    /// is the same payment.
    ///
    /// - Parameters:
    ///   - confirm: shows a person the intent with all of its findings, and returns whether the person agrees.
    ///   - isAwaited: whether to wait until it is mined.
    /// - Returns: the result; nil if the person does not agree.
    /// - Throws: the errors of ``plan(_:fee:coins:isFurther:expecting:)``, `SigningFlow.sign(_:)` and
    ///   ``deliver(_:of:untilMined:)``.
    public func pay(
        _ order: BitcoinOrder, fee: BitcoinFee, untilMined isAwaited: Bool = false,
        confirm: (ProposedSigning) async -> Bool
    ) async throws(PaymentError) -> DeliveredBitcoinPayment? {
        let planning = try await plan(order, fee: fee)
        do throws(PaymentStop<PaymentError>) {
            return try await pay(planning, untilMined: isAwaited) { proposal throws(PaymentError) in
                try await attempt { () async throws(SigningError) in try await flow.confirmed(proposal, confirm) }
            }?.delivered
        } catch { throw error.cause }
    }

    /// Carries out what was planned: asks, signs, and sends; an earlier attempt is sent again if the node does not have it.
    ///
    /// - Parameters:
    ///   - confirm: asks for confirmation (`SigningFlow.confirmation(of:by:)`); nil if nothing is to be signed.
    ///   - isAwaited: whether to wait until it is mined.
    /// - Returns: nil if nothing was confirmed.
    public func pay<Refusal: Error>(
        _ planning: Planning, untilMined isAwaited: Bool = false,
        confirm: (ProposedSigning) async throws(Refusal) -> ConfirmedSigning?
    ) async throws(PaymentStop<Refusal>) -> Paid<DeliveredBitcoinPayment>? {
        switch planning {
        case .earlier(let transaction):
            do throws(PaymentError) {
                return Paid(delivered: try await resend(transaction, untilMined: isAwaited), signed: nil)
            } catch { throw .failed(error) }
        case .fresh(let plan):
            return try await flow.carryOut(
                { () async throws(PaymentError) in try await flow.propose(plan) }, confirm,
                { signed throws(PaymentError) in try await deliver(signed, of: plan, untilMined: isAwaited) })
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
    /// - Throws: the errors of ``plan(_:key:fee:overriding:isFurther:mayResend:findings:)``, `SigningFlow.sign(_:)`
    ///   and ``deliver(_:of:untilMined:)``.
    public func pay(
        _ order: EthereumOrder, key: PaymentKey? = nil, fee: EthereumFee, mayResend: Bool = false,
        untilMined isAwaited: Bool = false, confirm: (ProposedSigning) async -> Bool
    ) async throws(PaymentError) -> DeliveredEthereumPayment? {
        let planning = try await plan(order, key: key, fee: fee, mayResend: mayResend)
        do throws(PaymentStop<PaymentError>) {
            return try await pay(planning, untilMined: isAwaited) { proposal throws(PaymentError) in
                try await attempt { () async throws(SigningError) in try await flow.confirmed(proposal, confirm) }
            }?.delivered
        } catch { throw error.cause }
    }

    /// Carries out what was planned: asks, signs, and sends; or waits for the result of an earlier attempt.
    ///
    /// - Parameters: those of ``BitcoinPayments/pay(_:untilMined:confirm:)``.
    public func pay<Refusal: Error>(
        _ planning: Planning, untilMined isAwaited: Bool = false,
        confirm: (ProposedSigning) async throws(Refusal) -> ConfirmedSigning?
    ) async throws(PaymentStop<Refusal>) -> Paid<DeliveredEthereumPayment>? {
        switch planning {
        case .earlier(let payment):
            do throws(PaymentError) {
                return Paid(delivered: try await conclude(payment, untilMined: isAwaited), signed: nil)
            } catch { throw .failed(error) }
        case .fresh(let plan):
            return try await flow.carryOut(
                { () async throws(PaymentError) in try await flow.propose(plan) }, confirm,
                { signed throws(PaymentError) in try await deliver(signed, of: plan, untilMined: isAwaited) })
        }
    }
}

extension SigningFlow {
    /// Proposes, asks, signs, and delivers.
    fileprivate func carryOut<Delivered, Refusal>(
        _ propose: () async throws(PaymentError) -> ProposedSigning,
        _ confirm: (ProposedSigning) async throws(Refusal) -> ConfirmedSigning?,
        _ deliver: (SignedProposal) async throws(PaymentError) -> Delivered
    ) async throws(PaymentStop<Refusal>) -> Paid<Delivered>? {
        let proposal: ProposedSigning
        do throws(PaymentError) { proposal = try await propose() } catch {
            throw .failed(error)
        }
        let confirmed: ConfirmedSigning?
        do throws(Refusal) { confirmed = try await confirm(proposal) } catch { throw .refused(error) }
        guard let confirmed else { return nil }
        let signed: SignedProposal
        do throws(SigningError) { signed = try await sign(confirmed) } catch {
            throw .failed(PaymentError(error))
        }
        do throws(PaymentError) { return Paid(delivered: try await deliver(signed), signed: signed) } catch {
            throw .undelivered(signed, error)
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
