internal import Wallet

extension DeliveryFault {
    /// Creates the fault of another transaction of the wallet that was mined in place of the one that was waited for;
    /// nil if both are the same payment, as a payment and its speed-up are.
    ///
    /// - Parameters:
    ///   - entry: the entry of the mined transaction.
    ///   - awaited: the entry of the transaction that was waited for.
    ///   - height: the height of the block.
    init?(_ entry: HistoryEntry, insteadOf awaited: HistoryEntry, at height: UInt64) {
        guard !entry.isSamePayment(as: awaited), let other = entry.id, let id = awaited.id else { return nil }
        if entry.isCancellation {
            self = .cancelled(id: id, by: other, height: height)
        } else if awaited.isCancellation {
            self = .cancellationTooLate(id: id, by: other, height: height)
        } else {
            self = .minedInstead(id: id, by: other, height: height)
        }
    }
}
