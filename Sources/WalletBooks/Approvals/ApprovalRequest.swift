internal import Bitcoin
public import Custody
internal import Ethereum
internal import HDKeys
public import Wallet

/// A proposal that an approver judges, on a machine that does not have the wallet.
///
/// Its effects are computed from the bytes to be signed and the public keys in the file. A file with false keys gives
/// another digest, whose approval counts for nothing; the approver can compare the wallet's first addresses.
public struct ApprovalRequest: Sendable {
    /// The payload, and the keys that would sign it.
    public let subject: PolicySubject
    /// The effects of signing, with the findings of the checks. The wallet's history and contacts are not known here.
    public let intent: Intent
    /// The decision of a policy that allows everything except refusals: the wallet's own policy is not known here.
    public let decision: Decision
    /// The first Bitcoin address and the first Ethereum account of the keys in the file.
    public let firstAddresses: [String]

    /// Reads a proposal that was exported for an approver.
    ///
    /// - Parameter now: the time in seconds since 1970.
    /// - Throws: `CustodyError.badProposal`, `CustodyError.wallet(_:)`.
    public init(_ proposal: ProposalFile, now: UInt64) throws(CustodyError) {
        subject = try PolicySubject(proposal)
        let context = PolicyContext.unknown(now: now)
        intent = subject.work.intent.checked(in: context)
        let everything = Policy(rules: [PolicyRule(name: "asked", conditions: [], outcome: .allow)])
        decision = everything.decide(on: intent, in: context)
        do throws(HDKeyError) {
            let first = try AddressPath(.receive, index: 0)
            firstAddresses = [
                try subject.accounts.taproot.address(at: first).description,
                try subject.accounts.ethereum?.key(at: 0).address.description,
            ].compactMap(\.self)
        } catch { throw .wallet(.key(error)) }
    }
}
