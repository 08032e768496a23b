public import Amounts
internal import Custody
public import Wallet

/// What a person should know of a payment, beside what can be read from its bytes.
public enum PaymentFinding: Hashable, Sendable {
    /// The same payment was made, or may have been: a script that tries again pays twice.
    case repeated(Repetition, id: String)
    /// The same payment was signed a short time ago, which both can happen.
    case recentlyPaid(wasSent: Bool, secondsAgo: UInt64)
    /// It takes the place of a transaction that may be mined yet. Another payment is not made then.
    case replaces(id: String, isAnotherPayment: Bool)
    /// The node says that another transaction has used the number of this one.
    case doubtfulNonce(UInt64, id: String)
    /// The node says that the account has made so many payments elsewhere.
    case nonceGap(nonce: UInt64, payments: UInt64)
    /// Only the node says how many decimals the token has.
    case decimalsFromNode(amount: UInt256, Decimals)
    /// The letters of an address are all of one case, so that nothing tells whether a digit is mistyped.
    case oneCase(String)

    /// How the same payment came about before.
    public enum Repetition: Hashable, Sendable {
        /// In a block, as the node says.
        case mined(height: UInt64)
        /// In a block, and its result was never told.
        case minedUnheard
        /// On its way.
        case underway
        /// On its way, or may be.
        case possiblyUnderway
        /// Signed, and no node is known to have it.
        case signed
        /// A node has refused it, and it may be mined yet.
        case refused
        /// The node says that it failed in this block.
        case reverted(height: UInt64)
        /// The node says that another one has spent what it spends.
        case displaced
        /// The node says that this one was mined in its place.
        case rivalled(by: String)
        /// Another attempt at the same order is signed.
        case otherAttempt
    }

    var isRepetition: Bool { if case .repeated = self { true } else { false } }

    /// A finding of a payment that does the same and was signed within a day.
    ///
    /// - Parameters:
    ///   - conflictSet: what it takes up: what takes the place of another is no second payment.
    ///   - now: in seconds since 1970.
    init?(recentlyPaid intent: Intent, taking conflictSet: ConflictSet?, in history: [HistoryEntry], now: UInt64) {
        guard intent.effects.contains(where: { [.payment, .transfer].contains($0.kind) }) else { return nil }
        let last = history.last { entry in
            entry.isSentUnlessRefused != nil && entry.digest != intent.digest
                && entry.repeats(intent, taking: conflictSet)
                && now < entry.time.addingReportingOverflow(PaymentLimits.recentSeconds).partialValue
        }
        guard let last, let wasSent = last.isSentUnlessRefused else { return nil }
        self = .recentlyPaid(wasSent: wasSent, secondsAgo: now - min(now, last.time))
    }

    /// A finding of the newest transaction that cannot be mined beside the new one, if it may be mined still.
    ///
    /// It is another payment if it has another order: a speed-up and a cancellation have the order of the payment that they replace,
    /// and a payment that no node took was reported as not made.
    ///
    /// - Parameters:
    ///   - conflictSet: what the new one takes up.
    ///   - order: the order of the new one.
    ///   - isFurther: whether the new one is a payment beside all earlier ones of its order.
    init?(
        replacedBy intent: Intent, taking conflictSet: ConflictSet?, for order: OrderIdentity?, isFurther: Bool,
        in history: [HistoryEntry]
    ) {
        let last = history.last { entry in
            entry.awaitsBlock && entry.digest != intent.digest && entry.conflicts(with: conflictSet)
        }
        guard let last, let id = last.id else { return nil }
        let isOther = last.order != order || isFurther && last.effects != [.nothing]
        self = .replaces(id: id, isAnotherPayment: isOther && last.order != nil && last.state != .signed)
    }
}

extension PaymentFinding {
    /// The finding as the wallet's checks and policies know it.
    public var finding: Finding {
        switch self {
        case .repeated(let repetition, let id): Finding("repeated", repetition.text(id), .costly)
        case .recentlyPaid(let wasSent, let seconds):
            Finding(
                "recently_paid",
                "you \(wasSent ? "paid" : "signed a payment of") the same amount to the same address "
                    + "\(Self.age(seconds)) ago", .notice)
        case .replaces(let id, let isAnother):
            isAnother
                ? Finding(
                    "replaces", "it takes the place of \(id), which is another payment: that one is not made then",
                    .costly)
                : Finding("replaces", "it takes the place of \(id)", .notice)
        case .doubtfulNonce(let nonce, let id):
            Finding(
                "nonce_jump",
                "the node says that another one than \(id) has used number \(nonce) of this account: if that is not "
                    + "true, both may be mined", .costly)
        case .nonceGap(let nonce, let payments):
            Finding(
                "nonce_jump",
                "the node says that this account has made \(payments == 1 ? "a payment" : "\(payments) payments") "
                    + "elsewhere: if that is not true, this one waits, and is mined some time later; --nonce \(nonce) "
                    + "says it yourself", .costly)
        case .decimalsFromNode(let amount, let decimals):
            Finding(
                "decimals_from_node",
                "\(amount) of the smallest unit is \(DecimalText.short(amount, decimals)), if the token has "
                    + "\(decimals.count) decimals, as the node says: give --decimals \(decimals.count) to say it yourself",
                .costly)
        case .oneCase(let text):
            Finding(
                "one_case",
                "the letters of \(text) are all of one case, so that nothing tells whether a digit is mistyped: "
                    + "compare all 40, or take the address as the payee's own wallet shows it", .costly)
        }
    }

    private static func age(_ seconds: UInt64) -> String {
        switch seconds {
        case ..<60: "less than a minute"
        case ..<120: "a minute"
        case ..<7_200: "\(seconds / 60) minutes"
        default: "\(seconds / 3_600) hours"
        }
    }
}

extension PaymentFinding.Repetition {
    fileprivate func text(_ id: String) -> String {
        switch self {
        case .mined(let height): "the same payment is in block \(height) already, as transaction \(id)"
        case .minedUnheard: "the same payment is in a block already, and its result was never told: \(id)"
        case .underway: "the same payment is on its way already, as transaction \(id)"
        case .possiblyUnderway: "the same payment is on its way already, or may be: \(id)"
        case .signed:
            "the same payment was signed already, as transaction \(id): if a node has that, both may be mined"
        case .refused: "the same payment is transaction \(id), which a node refused, and which may be mined yet"
        case .reverted(let height):
            "the same payment is transaction \(id), and the node says that it failed in block \(height): if that is not "
                + "true, it is paid a second time"
        case .displaced:
            "the same payment is transaction \(id), and the node says that another one has spent what it spends: if that "
                + "is not true, both may be mined"
        case .rivalled(let rival):
            "the same payment is transaction \(id), and the node says that \(rival) was mined in its place: if that is "
                + "not true, both may be mined"
        case .otherAttempt: "the same payment was signed already, as transaction \(id)"
        }
    }
}

extension HistoryEntry {
    /// Whether it was sent; nil where nobody knows that anything was signed, or where it never counts any more.
    fileprivate var isSentUnlessRefused: Bool? {
        switch state {
        case .signed: false
        case .unanswered, .sent, .mined, .settled: true
        case .reserved, .failed, .replaced: nil
        }
    }
}
