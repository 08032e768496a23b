internal import ErrorTexts
package import ExchangeCredentials
package import Texts
internal import Time

/// The steps after a key may have been stolen.
package struct EmergencyView: ResultView {
    struct Step: Encodable {
        /// The word for scripts: `delete_key`.
        let name: String
        let text: String
        /// The exchange's page for the step.
        let page: String?
        /// The time since which to review.
        let since: String?
        /// Whether this command did the step.
        let done: Bool
    }

    let label: String
    let exchange: String
    let fingerprint: String
    /// The time of the revocation on this machine; omitted if the key is stored.
    let revoked: String?
    let steps: [Step]
    private let title: String
    private let moment: String?

    enum CodingKeys: String, CodingKey { case label, exchange, fingerprint, revoked, steps }

    /// The steps for a key that is stored.
    ///
    /// - Parameter time: the time zone of the person, for the text.
    package init(_ record: CredentialRecord, time: LocalTime) {
        self.init(
            EmergencyPlan(for: record.label, at: record.venue, created: record.created, rights: record.rights),
            record.label, record.fingerprint, nil, time)
    }

    /// The steps for a key that was revoked on this machine.
    ///
    /// - Parameter record: the key's record before the revocation; nil if it was revoked earlier, so that its rights are
    ///   unknown.
    package init(_ tombstone: Tombstone, _ record: CredentialRecord?, time: LocalTime) {
        self.init(
            EmergencyPlan(
                for: tombstone.label, at: tombstone.venue, created: record?.created, rights: record?.rights),
            tombstone.label, tombstone.fingerprint, tombstone.revoked, time)
    }

    private init(
        _ plan: EmergencyPlan, _ label: KeyLabel, _ fingerprint: String, _ revoked: Timestamp?, _ time: LocalTime
    ) {
        self.label = label.text
        exchange = plan.venue.rawValue
        title = plan.venue.title
        self.fingerprint = fingerprint
        self.revoked = revoked?.rfc3339
        moment = revoked.map { time.text($0) }
        steps = plan.steps.map { Step($0, at: plan.venue, isRevoked: revoked != nil, time) }
    }

    package var text: String {
        let title =
            moment.map { "the key '\(label)' was revoked on this machine on \($0), and is not used again" }
            ?? "what to do if the key '\(label)' was stolen"
        // The key works at the exchange until it is deleted there, which is the first step.
        let lines = steps.enumerated().flatMap { number, step -> [String] in
            let line = "\(number + 1). \(step.text)\(step.done ? " (done)" : "")"
            return [line] + (step.page.map { ["   \($0)"] } ?? [])
        }
        return ([title, "a thief has a copy: it works at \(self.title) until you delete it there"] + lines)
            .joined(separator: "\n")
    }
}

extension EmergencyView.Step {
    fileprivate init(_ step: EmergencyPlan.Step, at venue: Venue, isRevoked: Bool, _ time: LocalTime) {
        let title = venue.title
        func since(_ moment: Timestamp?) -> String {
            // The exchange may have made the key long before.
            "since the key was created at \(title)"
                + (moment.map { " (stored here on \(time.text($0)))" } ?? "")
        }
        switch step {
        case .deleteKeyAtExchange(let page):
            self.init("delete_key", "delete the key at \(title), before anything else", page: page)
        case .lockAccount(let page):
            self.init(
                "lock_account", "lock the account if you cannot log in, or if funds are being withdrawn", page: page)
        case .cancelOpenOrders: self.init("cancel_orders", "cancel the open orders that you did not place")
        case .reviewOrders(let moment):
            self.init(
                "review_orders", "compare the orders and trades \(since(moment)) with what you know", since: moment)
        case .reviewWithdrawals(let moment):
            self.init(
                "review_withdrawals", "look for withdrawals and new withdrawal addresses \(since(moment))",
                since: moment)
        case .reviewAccess:
            self.init("review_access", "look for other keys, sub-accounts, sessions and devices that are not yours")
        case .revokeLocally(let label):
            self.init(
                "revoke_locally", "revoke the key on this machine: 'fueki exchange revoke-local \(label)'",
                done: isRevoked)
        case .renewLogin:
            self.init("renew_login", "change the account's password and second factor if the thief may have had them")
        case .contactSupport(let page):
            self.init("contact_support", "report unknown withdrawals, with times and amounts", page: page)
        case .findLeak:
            self.init("find_leak", "find out how the key was lost: copies, logs, other machines; keep the evidence")
        case .createRestrictedKey:
            self.init(
                "create_key",
                "create a new key without the right to withdraw, restricted to addresses, and store it with 'fueki exchange add'"
            )
        }
    }

    private init(_ name: String, _ text: String, page: String? = nil, since: Timestamp? = nil, done: Bool = false) {
        self.init(name: name, text: text, page: page, since: since?.rfc3339, done: done)
    }
}
