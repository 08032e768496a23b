internal import Custody
internal import Wallet

/// What was signed before and cannot be mined beside what is to be signed now.
enum ReplacedPayment {
    /// A remark with the newest of them, if it may still be mined.
    ///
    /// - Parameter slot: what the new one takes up.
    static func remark(on intent: Intent, taking slot: SigningSlot?, in history: [HistoryEntry]) -> Remark? {
        let last = history.last { entry in
            entry.awaitsBlock && entry.digest != intent.digest && entry.conflicts(with: slot)
        }
        guard let id = last?.id else { return nil }
        return Remark("replaces", "it takes the place of \(id)", .notice)
    }
}
