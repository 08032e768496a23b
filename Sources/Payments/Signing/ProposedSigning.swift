internal import Ceremonies
public import Custody
public import Wallet

/// Something to be signed, with what it does, what was found, and what the policy says to it.
public struct ProposedSigning: Sendable {
    let judged: ProposedPayload
    /// What was found beside what can be read from the bytes. ``intent`` has it among its findings.
    public let findings: [PaymentFinding]
    /// Approvals that were given and do not count.
    public let ignoredApprovals: [IgnoredApproval]
    let order: OrderIdentity?
    let node: NodeView?
    /// When it was proposed, in seconds since 1970.
    let time: UInt64
    /// The newest entry of the book that was known when it was planned.
    let mark: UInt64

    /// What is to be signed.
    public var payload: SigningPayload { judged.payload }
    /// What signing it does, with what the checks find. Show all of it, the findings too.
    public var intent: Intent { judged.intent }
    /// What the policy says to it.
    public var decision: Decision { judged.decision }
    /// What was judged: the payload, and the signatures that it takes.
    public var work: SigningWork { judged.work }
    /// Whether this wallet made the payload, with what a node says.
    public var isPlannedHere: Bool { node != nil }
    /// Whether the same payment was made, or is on its way.
    public var isRepeated: Bool { findings.contains(where: \.isRepetition) }

    /// Says that the person has seen the intent with this digest, and wants it signed.
    ///
    /// - Parameters:
    ///   - digest: `Intent.digest` of what was shown.
    ///   - names: of the costly findings that the person accepts. A caller that has shown all findings to a person accepts all of them.
    /// - Throws: ``PaymentError/custody(_:)`` with `CeremonyError.refused(_:)`, `CeremonyError.forbidden(_:)`,
    ///   `CeremonyError.notWhatWasConfirmed` or `CeremonyError.notAccepted(_:)`.
    public func confirmed(_ digest: [UInt8], accepting names: Set<String>) throws(PaymentError) -> ConfirmedSigning {
        let payload = try attempt { () throws(CeremonyError) in try judged.confirmed(digest, accepting: names) }
        return ConfirmedSigning(payload: payload, order: order, node: node, time: time, mark: mark)
    }
}

/// What a person has confirmed, and a ``SigningFlow`` signs.
public struct ConfirmedSigning: Sendable {
    let payload: ConfirmedPayload
    let order: OrderIdentity?
    let node: NodeView?
    let time: UInt64
    let mark: UInt64

    /// `Intent.digest` of what was confirmed.
    public var digest: [UInt8] { payload.digest }
}
