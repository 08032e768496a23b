public import Custody
public import Wallet

/// A policy's decision about a payload, without signing it.
public struct PolicyExplanation: Sendable {
    /// The payload, and the keys that would sign it.
    public let subject: PolicySubject
    /// The effects of signing, with the findings of the checks.
    public let intent: Intent
    /// The policy's decision.
    public let decision: Decision
    /// The given approvals that do not count.
    public let ignoredApprovals: [IgnoredApproval]
    /// The names of the wallet's contacts; none without a book.
    public let names: PartyNames
    /// Whether the wallet's book was asked about earlier signatures and known payees.
    public let knowsHistory: Bool
    /// Whether no policy was given and no book was asked, so that the policy of a wallet without one decided.
    public let isStandard: Bool
}

extension PolicySubject {
    /// Explains the decision about the payload.
    ///
    /// - Parameters:
    ///   - book: the wallet's book; nil to decide as if nothing was signed before and no payee were known.
    ///   - policy: the policy; nil for the book's own, and without a book for the policy of a wallet without one.
    ///   - approvals: the given approvals.
    ///   - now: the time in seconds since 1970.
    /// - Throws: the errors of ``context(in:under:approvals:now:)``.
    public func explanation(
        in book: WalletBook?, under policy: Policy?, approvals: [Approval], now: UInt64
    ) async throws(CustodyError) -> PolicyExplanation {
        let (asked, context, names): (Policy, PolicyContext, PartyNames)
        if let book {
            (asked, context) = try await self.context(in: book, under: policy, approvals: approvals, now: now)
            names = PartyNames(await book.contacts())
        } else {
            asked = policy ?? .standard
            (context, names) = (blankContext(under: asked, approvals: approvals, now: now), .none)
        }
        let intent = work.intent.checked(in: context)
        let decision = asked.decide(on: intent, in: context)
        return PolicyExplanation(
            subject: self, intent: intent, decision: decision,
            ignoredApprovals: IgnoredApproval.all(among: approvals, for: intent.digest, under: asked, decision),
            names: names, knowsHistory: book != nil, isStandard: policy == nil && book == nil)
    }
}
