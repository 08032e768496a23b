internal import Wallet

/// A finding about a payload that the wallet's book shows, and that cannot be decoded from the payload's bytes.
enum BookFinding: Hashable, Sendable {
    /// An equal payment was signed a short time ago, and both can be mined.
    case recentlyPaid(wasSent: Bool, secondsAgo: UInt64)
    /// It conflicts with a transaction that may still be mined. That other payment is then not made.
    case replaces(id: String, isAnotherPayment: Bool)
    /// A share file shows that the wallet has signed, and this machine has no history of it: the wallet was restored, or
    /// somebody deleted its book.
    case noHistory

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
                && now < entry.time.addingReportingOverflow(Limits.recentSeconds).partialValue
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

    /// The finding in the form of the wallet's checks and policies.
    var finding: Finding {
        switch self {
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

extension Finding {
    /// Whether it says that the same payment was made, or is on its way.
    var isRepetition: Bool { name == "repeated" }
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
