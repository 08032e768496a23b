internal import Custody
internal import Wallet

/// What was signed before and cannot be mined beside what is to be signed now.
enum ReplacedPayment {
    /// A remark with the newest of them, if it may still be mined.
    ///
    /// - Parameter slot: what the new one takes up.
    static func remark(on intent: Intent, taking slot: SigningSlot?, in history: [HistoryEntry]) -> Remark? {
        guard let slot else { return nil }
        let last = history.last { entry in
            entry.mayBeMined && entry.digest != intent.digest && entry.slot.map(slot.conflicts) ?? false
        }
        guard let id = last?.id else { return nil }
        return Remark("replaces", "it takes the place of \(id)", .notice)
    }
}

extension HistoryEntry {
    fileprivate var mayBeMined: Bool {
        switch state {
        case .signed, .unanswered, .sent: true
        case .reserved, .failed, .mined, .settled, .replaced: false
        }
    }
}
