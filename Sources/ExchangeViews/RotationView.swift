internal import ErrorTexts
package import Exchange
package import ExchangeCredentials
package import Texts

/// The facts about a new key on which a rotation is decided.
package struct RotationView: ResultView {
    /// The risks that `--accept` names.
    package enum Risk: String, CaseIterable, Encodable, Sendable {
        /// The new key has a dangerous right, or no list of addresses.
        case danger
        /// The exchange does not name one account for both keys.
        case account
        /// The journal of orders is missing or an old copy.
        case oldJournal = "old-journal"

        fileprivate var sentence: String {
            switch self {
            case .danger: "the new key is dangerous"
            case .account: "it is not proven that both keys are of one account"
            case .oldJournal: "the journal of orders is missing or an old copy"
            }
        }
    }

    let label: String
    let exchange: String
    /// `replaced` or `declined`.
    let state: String
    /// Whether the exchange names one account for both keys.
    let same_account: Bool?
    let check: KeyCheckView
    /// The risks of the new key.
    package let risks: [Risk]
    private let title: String

    enum CodingKeys: String, CodingKey { case label, exchange, state, same_account, check }

    /// The review before the decision.
    package init(_ review: RotationReview, of label: KeyLabel, time: LocalTime) {
        self.init(review.report, label, isSame: review.isProvenSameAccount, "declined", time)
    }

    /// The result.
    ///
    /// - Parameter review: the review that was decided on; nil if an earlier call was interrupted after the decision.
    package init(
        replaced report: PermissionReport, _ review: RotationReview?, of label: KeyLabel, time: LocalTime
    ) {
        self.init(report, label, isSame: review?.isProvenSameAccount, "replaced", time)
    }

    private init(
        _ report: PermissionReport, _ label: KeyLabel, isSame: Bool?, _ state: String, _ time: LocalTime
    ) {
        self.label = label.text
        exchange = report.venue.rawValue
        title = report.venue.title
        self.state = state
        same_account = isSame
        check = KeyCheckView(report, of: label, time: time)
        risks = (report.worst == .danger ? [.danger] : []) + (isSame == false ? [.account] : [])
    }

    /// Returns the text that a person reads before the key is replaced.
    package func question(in width: Columns) -> StyledText {
        let account: StyledText =
            switch same_account {
            case true?: StyledText("\(title) names the same account for the old key and the new one")
            case false?, nil:
                StyledText(
                    Wrapped.text(
                        "warning: \(title) does not name the account of both keys: compare on its page that the new key is of "
                            + "the same account, or open orders are lost from sight", columns: width.sentences),
                    .warning)
            }
        return StyledText(lines: [StyledText("The new key", .strong), check.text(in: width), account])
    }

    /// The text after the key was replaced.
    package var text: String {
        "the key '\(label)' is replaced, and the old one is wiped from this machine\n"
            + "next: delete the old key at \(title), where it still works"
    }

    /// Returns the failure of a key that a program did not accept in advance; nil if it did.
    package func failure(accepting accepted: Set<Risk>) -> Failure? {
        let open = risks.filter { !accepted.contains($0) }
        guard !open.isEmpty else { return nil }
        return Failure(
            code: .refused, name: "rotation_refused",
            message: "\(open.map(\.sentence).joined(separator: ", and ")); the old key is still in use",
            hint: "to accept this, add --accept \(open.map(\.rawValue).joined(separator: ","))", details: self)
    }

    /// The failure of a key of another account.
    package static let otherAccount = Failure(
        code: .refused, name: "other_account",
        message: "the new key is of another account than the old one; the old key is still in use",
        hint: "store it under a label of its own with 'fueki exchange add'")
}
