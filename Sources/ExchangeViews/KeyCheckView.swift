internal import ErrorTexts
package import Exchange
package import ExchangeCredentials
package import Texts
internal import Time

/// The rights of a key, and their dangers.
package struct KeyCheckView: Encodable {
    struct Finding: Encodable {
        /// The word for scripts: `can_withdraw`.
        let name: String
        /// `notice`, `warning` or `danger`.
        let severity: String
        let text: String
        /// The change that the finding asks for.
        let advice: String?
        fileprivate let style: StyledText.Style

        enum CodingKeys: String, CodingKey { case name, severity, text, advice }

        init(_ finding: PermissionFinding, _ time: LocalTime) {
            name = finding.word
            severity = finding.severity.word
            text = finding.sentence(time)
            advice = finding.advice.sentence
            style = finding.severity.style
        }

        /// The lines for a person. Capitals say what the colour says.
        fileprivate func lines(_ width: Columns) -> [StyledText] {
            let title = severity == "danger" ? "DANGER" : severity
            let line = StyledText(Wrapped.text("\(title): \(text)", columns: width.sentences), style)
            guard let advice else { return [line] }
            return [line, StyledText("    " + Wrapped.text(advice, columns: width.sentences - 4))]
        }
    }

    let label: String
    let exchange: String
    let rights: [String]
    /// Whether the key works from listed addresses only.
    let address_list: Bool
    let created: String?
    let expires: String?
    let last_used: String?
    let findings: [Finding]
    /// The highest severity of a finding.
    let worst: String?
    private let report: PermissionReport
    private let time: LocalTime

    enum CodingKeys: String, CodingKey {
        case label, exchange, rights, address_list, created, expires, last_used, findings, worst
    }

    /// - Parameter time: the time zone of the person, for the text.
    package init(_ report: PermissionReport, of label: KeyLabel, time: LocalTime) {
        self.label = label.text
        exchange = report.venue.rawValue
        rights = report.rights.map(\.name)
        address_list = report.isRestrictedToAddresses
        created = report.created?.rfc3339
        expires = report.expires?.rfc3339
        last_used = report.lastUsed?.rfc3339
        findings = report.findings.map { Finding($0, time) }
        worst = report.worst?.word
        self.report = report
        self.time = time
    }

    /// Returns the text for a person, the most severe finding first.
    package func text(in width: Columns) -> StyledText {
        let rights = report.rights.map(\.words)
        var rows: [LabelledRows.Row] = [
            .init("rights", [rights.isEmpty ? "none" : rights.joined(separator: ", ")]),
            .init("addresses", [address_list ? "listed ones only" : "every address on the internet"]),
        ]
        for (name, moment) in [("created", report.created), ("expires", report.expires), ("used", report.lastUsed)] {
            if let moment { rows.append(.init(name, [time.text(moment)])) }
        }
        let title = StyledText("the key '\(label)' at \(report.venue.title)", .strong)
        let good = findings.isEmpty ? [StyledText("nothing to change", .success)] : []
        return StyledText(
            lines: [title, LabelledRows(rows).text(columns: width.sentences)] + good
                + findings.flatMap { $0.lines(width) })
    }

    /// Returns the failure of a key that has to be changed before it is used; nil without such a finding.
    ///
    /// - Parameter least: the severity from which on a finding counts.
    package func failure(from least: PermissionFinding.Severity) -> Failure? {
        guard let worst = report.worst, worst >= least else { return nil }
        return Failure(
            code: .refused, name: worst == .danger ? "dangerous_key" : "key_needs_attention",
            message: worst == .danger
                ? "the key is dangerous: change it at the exchange before you use it" : "the key needs attention")
    }
}

extension PermissionFinding {
    /// The word for scripts.
    fileprivate var word: String {
        switch self {
        case .canWithdraw: "can_withdraw"
        case .noAddressListForActing, .noAddressListForReading: "no_address_list"
        case .expired: "expired"
        case .expiresSoon: "expires_soon"
        case .canTransfer: "can_transfer"
        case .canBorrow: "can_borrow"
        case .unknownRight: "unknown_right"
        case .unreadableRights: "unreadable_rights"
        case .nonceWindow: "nonce_window"
        case .cannotTrade: "cannot_trade"
        }
    }

    fileprivate func sentence(_ time: LocalTime) -> String {
        switch self {
        case .canWithdraw: "the key can WITHDRAW: a thief of the key takes the funds"
        case .noAddressListForActing: "the key has NO LIST OF IP ADDRESSES: a stolen copy acts from every machine"
        case .noAddressListForReading: "the key has no list of IP addresses: a stolen copy reads from every machine"
        case .expired(let end): "the key has expired on \(time.text(end))"
        case .expiresSoon(let end): "the key expires on \(time.text(end))"
        case .canTransfer(let right): "the key can move funds between accounts: \(right.words)"
        case .canBorrow(let right): "the key can lose more than the stake: \(right.words)"
        case .unknownRight(let right): "the key has the right \(right.words)"
        case .unreadableRights(let count): "the key has \(count) rights whose names cannot be shown"
        case .nonceWindow: "the key accepts nonces out of order: a delayed request can act after a later one"
        case .cannotTrade: "the key cannot place orders"
        }
    }
}

extension PermissionFinding.Severity {
    /// The word for scripts.
    fileprivate var word: String {
        switch self {
        case .notice: "notice"
        case .warning: "warning"
        case .danger: "danger"
        }
    }

    fileprivate var style: StyledText.Style {
        switch self {
        case .notice: .plain
        case .warning: .warning
        case .danger: .refusal
        }
    }
}

extension PermissionFinding.Advice {
    fileprivate var sentence: String? {
        switch self {
        case .removeRight(let right): "remove the right at the exchange: \(right.words)"
        case .restrictAddresses: "restrict the key to this machine's addresses at the exchange"
        case .rotate: "create a new key, and replace this one with 'fueki exchange rotate'"
        case .lookUp: "look it up in the exchange's documentation"
        case .removeNonceWindow: "set the nonce window to 0 at the exchange"
        case .none: nil
        }
    }
}
