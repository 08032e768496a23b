internal import Custody
internal import Wallet

extension DeliveryFault {
    /// What it means that another transaction of the wallet was mined in the place of the one that was waited for; nil if both are the
    /// same payment, as a payment and its speed-up are.
    ///
    /// - Parameters:
    ///   - entry: of the transaction that was mined.
    ///   - awaited: of the transaction that was waited for.
    ///   - height: of the block.
    init?(_ entry: HistoryEntry, insteadOf awaited: HistoryEntry, at height: UInt64) {
        guard !entry.isSamePayment(as: awaited), let other = entry.id, let id = awaited.id else { return nil }
        if entry.effects == [.nothing] {
            self = .cancelled(id: id, by: other, height: height)
        } else if awaited.effects == [.nothing] {
            self = .cancellationTooLate(id: id, by: other, height: height)
        } else {
            self = .minedInstead(id: id, by: other, height: height)
        }
    }
}
