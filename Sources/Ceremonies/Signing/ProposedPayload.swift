public import Bitcoin
public import Wallet

/// A payload to be signed, with its computed intent. It is not yet confirmed.
public struct ProposedPayload: Sendable {
    /// The payload to be signed.
    public var payload: SigningPayload { work.payload }
    /// The intent, with the findings of the checks in its context. Show all of it to the user, findings included.
    public let intent: Intent
    /// The policy's decision on the intent.
    public let decision: Decision
    /// The details of a Bitcoin transaction: the same as in the intent, with inputs and change.
    public var spend: SpendSummary? { work.spend }
    /// The work that was judged.
    public let work: SigningWork
    private let wallet: WalletKeys

    /// Judges a payload. Its errors are in the intent's `refusals` and in the decision.
    ///
    /// - Parameters:
    ///   - work: the work, for this wallet's accounts (``WalletKeys/accounts``).
    ///   - policy: the policy. Each participant's authorizer has it, too.
    ///   - context: the data beside the bytes.
    ///   - findings: further findings for the user.
    public init(
        _ work: SigningWork, from wallet: WalletKeys, under policy: Policy = .standard, in context: PolicyContext,
        findings: [Finding] = []
    ) {
        self.work = work
        self.wallet = wallet
        intent = work.intent.naming(tokensOf: policy).checked(in: context).adding(findings)
        decision = policy.decide(on: intent, in: context)
    }

    /// Records that the user has seen the intent with this digest, and wants it signed.
    ///
    /// A costly finding must be accepted by name: a program that confirms everything must not lose the wallet's coins
    /// by a mistake that the wallet has found. A caller that asks the user, and has shown all findings, accepts all of
    /// their names.
    ///
    /// - Parameters:
    ///   - digest: the `Intent.digest` of the intent that was shown.
    ///   - names: the names of the costly findings that the user accepts. Other names change nothing.
    /// - Throws: ``CeremonyError/refused(_:)`` if there is a refusal, ``CeremonyError/forbidden(_:)`` if the policy
    ///   does not allow the intent, ``CeremonyError/notWhatWasConfirmed`` if another intent was shown,
    ///   ``CeremonyError/notAccepted(_:)`` with the costly findings that were not accepted.
    public func confirmed(_ digest: [UInt8], accepting names: Set<String>) throws(CeremonyError) -> ConfirmedPayload {
        guard intent.refusals.isEmpty else { throw .refused(intent.refusals) }
        guard decision.verdict == .allowed else { throw .forbidden(decision) }
        guard digest == intent.digest else { throw .notWhatWasConfirmed }
        let costs = intent.costs(besides: names)
        guard costs.isEmpty else { throw .notAccepted(costs) }
        return ConfirmedPayload(work: work, wallet: wallet)
    }
}
