public import Bitcoin
public import Wallet

/// Something that somebody wants signed, and what it does: computed, not believed. Nothing is signed of it yet.
public struct ProposedPayload: Sendable {
    /// What is to be signed.
    public var payload: SigningPayload { work.payload }
    /// What signing it does, with what the checks find in its context. Show all of it, the findings too.
    public let intent: Intent
    /// What the policy says to it.
    public let decision: Decision
    /// The details of a Bitcoin transaction: the same as in the intent, with inputs and change.
    public var spend: SpendSummary? { work.spend }
    /// What was judged.
    public let work: SigningWork
    private let wallet: WalletKeys

    /// Judges what the payload does. What is wrong with it stands in the intent's `refusals` and in the decision.
    ///
    /// - Parameters:
    ///   - work: of this wallet's accounts (``WalletKeys/accounts``).
    ///   - policy: what each participant asks as well, of the authorizer that it has.
    ///   - context: what is known beside the bytes.
    ///   - findings: what else the person should know.
    public init(
        _ work: SigningWork, from wallet: WalletKeys, under policy: Policy = .standard, in context: PolicyContext,
        findings: [Finding] = []
    ) {
        self.work = work
        self.wallet = wallet
        intent = work.intent.naming(tokensOf: policy).checked(in: context).adding(findings)
        decision = policy.decide(on: intent, in: context)
    }

    /// Says that the person has seen the intent with this digest, and wants it signed.
    ///
    /// A costly finding takes a yes of its own: a program that confirms whatever it is shown must not lose the wallet's coins by
    /// a mistake that the wallet has found. A caller that asks a person, and has shown all findings, accepts all of their names.
    ///
    /// - Parameters:
    ///   - digest: `Intent.digest` of what was shown.
    ///   - names: of the costly findings that the person accepts. A name that was not found changes nothing.
    /// - Throws: ``CeremonyError/refused(_:)`` if there is a reason not to sign, ``CeremonyError/forbidden(_:)`` if the policy does
    ///   not allow it, ``CeremonyError/notWhatWasConfirmed`` if something else was shown, ``CeremonyError/notAccepted(_:)`` with
    ///   the costly findings that were not accepted.
    public func confirmed(_ digest: [UInt8], accepting names: Set<String>) throws(CeremonyError) -> ConfirmedPayload {
        guard intent.refusals.isEmpty else { throw .refused(intent.refusals) }
        guard decision.verdict == .allowed else { throw .forbidden(decision) }
        guard digest == intent.digest else { throw .notWhatWasConfirmed }
        let costs = intent.costs(besides: names)
        guard costs.isEmpty else { throw .notAccepted(costs) }
        return ConfirmedPayload(work: work, wallet: wallet)
    }
}
