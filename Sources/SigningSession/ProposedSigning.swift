internal import Ceremonies
internal import Custody
public import Wallet
public import WalletBooks

/// A payload to be signed, with its effects, its findings, and the policy's decision.
public struct ProposedSigning: Sendable {
    let judged: ProposedPayload
    /// The findings that cannot be decoded from the bytes. ``intent`` contains them among its findings.
    public let findings: [Finding]
    /// The given approvals that do not count.
    public let ignoredApprovals: [IgnoredApproval]
    /// The facts with which it was judged, at the time of the proposal.
    let context: SigningContext
    /// The costly findings that its planning has answered.
    package var planned = AcceptedFindings.none

    /// The payload to be signed.
    public var payload: SigningPayload { judged.payload }
    /// The effects of signing, with the findings of the checks. Show all of it, including the findings.
    public var intent: Intent { judged.intent }
    /// The policy's decision.
    public var decision: Decision { judged.decision }
    /// The judged work: the payload, and its signatures.
    public var work: SigningWork { judged.work }
    /// Whether one of the findings is that the same payment was made, or is on its way.
    public var isRepeated: Bool { findings.contains(where: \.isRepetition) }
    /// Whether this wallet made the payload, with a node's information.
    public var isPlannedHere: Bool { context.node != nil }

    /// Confirms that the person has seen the intent with this digest, and agrees.
    ///
    /// - Parameters:
    ///   - digest: the `Intent.digest` of the shown intent.
    ///   - names: the names of the costly findings that the person accepts. A caller that has shown all findings to a
    ///     person accepts all of them.
    /// - Throws: ``SigningError/custody(_:)`` with `CeremonyError.refused(_:)`, `CeremonyError.forbidden(_:)`,
    ///   `CeremonyError.notWhatWasConfirmed` or `CeremonyError.notAccepted(_:)`.
    public func confirmed(_ digest: [UInt8], accepting names: Set<String>) throws(SigningError) -> ConfirmedSigning {
        let payload: ConfirmedPayload
        do throws(CeremonyError) { payload = try judged.confirmed(digest, accepting: names) } catch {
            throw .custody(CustodyError(error))
        }
        return ConfirmedSigning(payload: payload, context: context)
    }
}

/// A payload that a person has confirmed, for a ``SigningFlow`` to sign.
public struct ConfirmedSigning: Sendable {
    let payload: ConfirmedPayload
    let context: SigningContext

    /// The `Intent.digest` of the confirmed payload.
    public var digest: [UInt8] { payload.digest }
}
