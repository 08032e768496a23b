internal import Custody
internal import Wallet

/// The same payment, signed a short time ago: mostly both are meant, and now and then a command ran twice.
enum RecentPayment {
    /// A day, in seconds.
    private static let window: UInt64 = 86_400

    /// A remark if the last day saw the same payment, which both can happen.
    ///
    /// - Parameters:
    ///   - slot: what it takes up: what takes the place of another is no second payment.
    ///   - now: in seconds since 1970.
    static func remark(
        on work: SigningWork, taking slot: SigningSlot?, in history: [HistoryEntry], now: UInt64
    ) -> Remark? {
        let intent = work.intent
        guard intent.effects.contains(where: { [.payment, .transfer].contains($0.kind) }) else { return nil }
        let last = history.last { entry in
            entry.verb != nil && entry.digest != intent.digest && entry.repeats(intent, taking: slot)
                && now < entry.time.addingReportingOverflow(window).partialValue
        }
        guard let last, let verb = last.verb else { return nil }
        let text = "you \(verb) the same amount to the same address \(age(now - min(now, last.time))) ago"
        return Remark("recently_paid", text, .notice)
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

extension HistoryEntry {
    /// What the person did; nil where nobody knows that anything was signed, or where it never counts any more.
    fileprivate var verb: String? {
        switch state {
        case .signed: "signed a payment of"
        case .unanswered, .sent, .mined, .settled: "paid"
        case .reserved, .failed, .replaced: nil
        }
    }
}
