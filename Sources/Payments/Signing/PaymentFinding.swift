public import Amounts
internal import Custody
public import Nodes
public import Wallet

/// A finding about a payment that cannot be decoded from its bytes.
public enum PaymentFinding: Hashable, Sendable {
    /// An earlier payment is the same, and was made or may have been: a script that retries pays twice.
    case repeated(Repetition, id: String)
    /// An equal payment was signed a short time ago, and both can be mined.
    case recentlyPaid(wasSent: Bool, secondsAgo: UInt64)
    /// It conflicts with a transaction that may still be mined. That other payment is then not made.
    case replaces(id: String, isAnotherPayment: Bool)
    /// The node reports that another transaction has used the nonce of this one.
    case doubtfulNonce(UInt64, id: String)
    /// The node reports this number of payments that the account made elsewhere.
    case nonceGap(nonce: UInt64, payments: UInt64)
    /// Only the node states the token's number of decimals.
    case decimalsFromNode(amount: UInt256, Decimals)
    /// It spends the wallet's own unconfirmed change of these transactions: it is mined only with them.
    case unconfirmedChange(of: [String])
    /// The letters of an address are all of one case, so that a mistyped digit cannot be detected.
    case oneCase(String)
    /// The node is still loading the chain: the coins and payments that it shows may be outdated.
    case nodeSyncing(ChainLag)
    /// A share file shows that the wallet has signed, and this machine has no history of it: the wallet was restored, or
    /// somebody deleted its book.
    case noHistory

    /// The state of the earlier payment.
    public enum Repetition: Hashable, Sendable {
        /// It is in a block, as the node reports.
        case mined(height: UInt64)
        /// It is in a block, and its result was never reported.
        case minedUnheard
        /// It is on its way.
        case underway
        /// It is on its way, or may be.
        case possiblyUnderway
        /// It is signed, and no node is known to have it.
        case signed
        /// A node has refused it, and it may still be mined.
        case refused
        /// It failed in this block, as the node reports.
        case reverted(height: UInt64)
        /// Another transaction has spent its coins, as the node reports.
        case displaced
        /// This transaction was mined in its place, as the node reports.
        case rivalled(by: String)
        /// Another attempt at the same order is signed.
        case otherAttempt
    }

    var isRepetition: Bool { if case .repeated = self { true } else { false } }

    /// Creates a finding about a payment with the same effects that was signed within a day.
    ///
    /// - Parameters:
    ///   - conflictSet: the resources that it uses: a replacement is not a second payment.
    ///   - now: the time in seconds since 1970.
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

    /// Creates a finding about the newest transaction that conflicts with the new one, if it may still be mined.
    ///
    /// It is another payment if it has another order: a speed-up and a cancellation have the order of the payment that
    /// they replace, and a payment that no node accepted was reported as not made.
    ///
    /// - Parameters:
    ///   - conflictSet: the resources that the new one uses.
    ///   - order: the order of the new one.
    ///   - isFurther: whether the new one is an additional payment beside all earlier ones of its order.
    init?(
        replacedBy intent: Intent, taking conflictSet: ConflictSet?, for order: OrderIdentity?, isFurther: Bool,
        in history: [HistoryEntry]
    ) {
        let last = history.last { entry in
            entry.awaitsBlock && entry.digest != intent.digest && entry.conflicts(with: conflictSet)
        }
        guard let last, let id = last.id else { return nil }
        let isOther = last.order != order || isFurther && !last.isCancellation
        self = .replaces(id: id, isAnotherPayment: isOther && last.order != nil && last.state != .signed)
    }
}

extension PaymentFinding {
    /// The finding in the form of the wallet's checks and policies.
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
                "the node says that another transaction than \(id) has used nonce \(nonce) of this account: if that is "
                    + "not true, both may be mined", .costly)
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
        case .unconfirmedChange(let ids):
            Finding(
                "unconfirmed_change",
                "it spends your change of \(ids.joined(separator: " and of ")), which no block has yet: it is mined only "
                    + "with \(ids.count == 1 ? "that one" : "those"), and not at all if another one takes its place",
                .notice)
        case .oneCase(let text):
            Finding(
                "one_case",
                "the letters of \(text) are all of one case, so that nothing tells whether a digit is mistyped: "
                    + "compare all 40, or take the address as the payee's own wallet shows it", .costly)
        case .nodeSyncing(let lag):
            Finding(
                "node_syncing",
                "\(lag.clause): coins that it shows may be spent, and payments that it does not show may be made",
                .costly)
        case .noHistory:
            Finding(
                "no_history",
                "this wallet has signed before, and this machine has no history of it: a policy that it had, and its "
                    + "earlier payments, are not known here", .costly)
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
        case .minedUnheard: "the same payment is in a block already, though no command printed its result: \(id)"
        case .underway: "the same payment is on its way already, as transaction \(id)"
        case .possiblyUnderway: "the same payment is on its way already, or may be: \(id)"
        case .signed:
            "the same payment was signed already, as transaction \(id): if a node has that, both may be mined"
        case .refused: "the same payment is transaction \(id), which a node refused, and which may be mined yet"
        case .reverted(let height):
            "the same payment is transaction \(id), and the node says that it failed in block \(height): if that is not "
                + "true, it is paid a second time"
        case .displaced:
            "the same payment is transaction \(id), and the node says that another transaction has spent its coins: if "
                + "that is not true, both may be mined"
        case .rivalled(let rival):
            "the same payment is transaction \(id), and the node says that \(rival) was mined in its place: if that is "
                + "not true, both may be mined"
        case .otherAttempt: "the same payment was signed already, as transaction \(id)"
        }
    }
}

extension HistoryEntry {
    /// Whether it was sent; nil if it is unknown whether it was signed, or if it no longer counts.
    fileprivate var isSentUnlessRefused: Bool? {
        switch state {
        case .signed: false
        case .unanswered, .sent, .mined, .settled: true
        case .reserved, .failed, .replaced: nil
        }
    }
}
