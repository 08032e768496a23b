public import Amounts

/// What signing does: read from the very bytes that are signed, by everyone who signs, for themselves.
///
/// The same value is shown to a person, checked by a policy, compared by each holder of a share, and written into the history.
/// Nothing in it comes from what somebody says beside those bytes.
public struct Intent: Equatable, Sendable {
    /// Nil where it is bound to no chain: a message, or what could be repeated on every chain.
    public let chain: Chain?
    /// What happens, in the order of the bytes; ``Effect/nothing`` where that is nothing. Empty only if something is refused.
    public let effects: [Effect]
    /// The most that it can cost beside the ``effects``, in the chain's smallest unit. Nil where signing costs nothing, and where
    /// the price cannot be known, which is refused.
    public let highestFee: UInt256?
    /// What is odd, costly or refused.
    public let findings: [Finding]
    /// 32 bytes that stand for exactly this: what the person confirmed, and what the holders sign, have the same.
    public let digest: [UInt8]

    /// Why it is not signed. Empty if nothing stands against it.
    public var refusals: [Finding] { findings.filter { $0.weight == .refusal } }

    /// What is costly in it, and not among the findings that were accepted by name. It is signed only if this is empty.
    ///
    /// - Parameter names: of findings, as ``Finding/names`` lists them. A name that no finding of this intent has is passed over.
    public func costs(besides names: Set<String>) -> [Finding] {
        findings.filter { $0.weight == .costly && !names.contains($0.name) }
    }

    /// Leaves out findings that are not for the person who is shown it; its meaning, and so its digest, stays.
    ///
    /// - Warning: what is shown is not what is signed: refusals and costly findings stay, whatever is asked.
    public func keeping(_ isKept: (Finding) -> Bool) -> Intent {
        Intent(
            chain: chain, effects: effects, highestFee: highestFee,
            findings: findings.filter { $0.weight != .notice || isKept($0) }, digest: digest)
    }

    /// Adds what others know about it; its meaning, and so its digest, stays.
    public func adding(_ findings: [Finding]) -> Intent {
        Intent(
            chain: chain, effects: effects, highestFee: highestFee, findings: self.findings + findings, digest: digest)
    }
}
