package import Ceremonies
package import Custody
internal import Encoding
package import Texts
package import Wallet
package import WalletBooks

/// A proposal with the present verdict of the wallet's policy.
package struct PendingView: Encodable {
    /// The digest that `pending show` accepts.
    let digest: String
    let chain: String?
    /// The policy's present verdict: `allowed`, `denied`, `not_before` or `needs_approval`.
    let state: String
    package let first_proposed: String
    package let intent: IntentView
    private let decided: Decision.Verdict
    private let proposed: UInt64
    private let time: LocalTime

    enum CodingKeys: String, CodingKey { case digest, chain, state, first_proposed, intent }

    /// - Parameters:
    ///   - judged: the effects of the proposal, with the policy's present verdict.
    ///   - time: the time zone of the person, for the text.
    package init(
        _ proposal: PendingProposal, _ judged: ProposedPayload, of wallet: WalletRecord, names: PartyNames,
        time: LocalTime
    ) throws(CustodyError) {
        self.time = time
        proposed = proposal.firstProposed
        digest = Hex.encode(proposal.digest)
        first_proposed = proposal.firstProposed.timeText
        decided = judged.decision.verdict
        intent = try IntentView(judged, of: wallet, names: names)
        chain = intent.chain
        state = intent.decision.verdict
    }

    package var verdict: String {
        switch decided {
        case .notBefore(let time): "not before \(self.time.zonedText(time))"
        case .needsApproval(let missing): "needs \(missing) more approval\(missing == 1 ? "" : "s")"
        case .allowed: "can be signed now"
        case .denied: "denied"
        }
    }

    /// The time of the proposal, and the policy's verdict.
    package var status: String { "proposed \(time.zonedText(proposed)): \(verdict)" }

    /// A row for each effect.
    package var summary: [[String]] {
        let lines = intent.effectLines
        return [[String(digest.prefix(16)), time.text(proposed), verdict, lines.first ?? ""]]
            + lines.dropFirst().map { ["", "", "", $0] }
    }
}
