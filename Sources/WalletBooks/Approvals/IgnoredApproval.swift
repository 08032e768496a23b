public import Wallet

/// An approval that was given and does not count for the proposal.
public struct IgnoredApproval: Equatable, Sendable {
    /// The approval's position among those that were given, from 0.
    public let index: Int
    /// The reason why the approval does not count.
    public let reason: Reason

    /// The reasons for which an approval does not count.
    public enum Reason: Equatable, Sendable {
        /// No rule asks for an approval by these approvers.
        case notAsked([String])
        /// The approval is for another intent, with this digest.
        case otherDigest([UInt8])
        /// No approver in the policy has this key.
        case unknownKey([UInt8])
        /// Its signature is not by the key that it names.
        case badSignature
    }

    /// Finds the approvals that do not count for this intent.
    ///
    /// - Parameters:
    ///   - digest: `Intent.digest` of the intent to be signed.
    ///   - decision: the policy's decision on it.
    public static func all(
        among approvals: [Approval], for digest: [UInt8], under policy: Policy, _ decision: Decision
    ) -> [IgnoredApproval] {
        let asked = Set(
            decision.findings.flatMap { finding -> [String] in
                guard case .approval(_, let names) = policy.rules.first(where: { $0.name == finding.rule })?.outcome
                else { return [] }
                return Array(names)
            })
        return approvals.enumerated().compactMap { index, approval in
            let names = policy.approvers(of: digest, in: [approval])
            if !names.isEmpty {
                return names.isDisjoint(with: asked)
                    ? IgnoredApproval(index: index, reason: .notAsked(names.sorted())) : nil
            }
            let reason: Reason =
                if approval.digest != digest {
                    .otherDigest(approval.digest)
                } else if !policy.approvers.values.contains(approval.approver) {
                    .unknownKey(approval.approver)
                } else {
                    .badSignature
                }
            return IgnoredApproval(index: index, reason: reason)
        }
    }
}
