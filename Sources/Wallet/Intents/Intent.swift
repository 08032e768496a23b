public import Amounts

/// The effects of signing, decoded from the exact bytes to be signed. Every participant decodes them for itself.
///
/// The same value is shown to the user, checked by a policy, compared by each participant, and written into the
/// history. Nothing in it comes from other sources than those bytes.
public struct Intent: Equatable, Sendable {
    /// The chain; nil if the intent is bound to no chain, as for a message or a call that could be repeated on every
    /// chain.
    public let chain: Chain?
    /// The effects, in the order of the bytes, or ``Effect/nothing``. Empty only if something is refused.
    public let effects: [Effect]
    /// The most that signing can cost beside the ``effects``, in the chain's smallest unit; nil if signing costs
    /// nothing, or if the price cannot be known, which is refused.
    public let highestFee: UInt256?
    /// The notices, costly findings and refusals.
    public let findings: [Finding]
    /// The digest: 32 bytes that identify exactly this intent. The user confirms it, and the participants compare it
    /// with what they sign.
    public let digest: [UInt8]

    /// The reasons why the intent is not signed. Empty if nothing is refused.
    public var refusals: [Finding] { findings.filter { $0.weight == .refusal } }

    /// Returns the costly findings that were not accepted by name. The intent is signed only if this is empty.
    ///
    /// - Parameter names: names of accepted findings, as in ``Finding/names``. A name that no finding of this intent
    ///   has is ignored.
    public func costs(besides names: Set<String>) -> [Finding] {
        findings.filter { $0.weight == .costly && !names.contains($0.name) }
    }

    /// Removes findings that are not meant for the user who sees the intent. Its meaning, and so its digest, stays.
    ///
    /// - Warning: This changes the shown findings, not the signed bytes. Refusals and costly findings always stay.
    public func keeping(_ isKept: (Finding) -> Bool) -> Intent {
        Intent(
            chain: chain, effects: effects, highestFee: highestFee,
            findings: findings.filter { $0.weight != .notice || isKept($0) }, digest: digest)
    }

    /// Adds findings from other sources. The intent's meaning, and so its digest, stays.
    public func adding(_ findings: [Finding]) -> Intent {
        Intent(
            chain: chain, effects: effects, highestFee: highestFee, findings: self.findings + findings, digest: digest)
    }
}
