internal import Custody
internal import Wallet

/// What was signed before and cannot be mined beside what is to be signed now.
enum ReplacedPayment {
    /// A remark with the newest of them, if it may still be mined. It is costly if that one is another payment that a node may
    /// have, which is not made then: a speed-up and a cancellation have the order of the payment that they replace, and a
    /// payment that no node took was reported as not made.
    ///
    /// - Parameters:
    ///   - slot: what the new one takes up.
    ///   - order: the order of the new one.
    ///   - isFurther: whether the new one is a payment beside all earlier ones of its order.
    static func remark(
        on intent: Intent, taking slot: SigningSlot?, for order: OrderIdentity?, isFurther: Bool,
        in history: [HistoryEntry]
    ) -> Remark? {
        let last = history.last { entry in
            entry.awaitsBlock && entry.digest != intent.digest && entry.conflicts(with: slot)
        }
        guard let last, let id = last.id else { return nil }
        let isAnother = last.order != order || isFurther && last.effects != [.nothing]
        return isAnother && last.order != nil && last.state != .signed
            ? Remark(
                "replaces", "it takes the place of \(id), which is another payment: that one is not made then", .costly)
            : Remark("replaces", "it takes the place of \(id)", .notice)
    }
}
