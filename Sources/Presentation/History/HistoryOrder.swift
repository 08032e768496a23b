internal import Bitcoin
internal import PaymentHistory
internal import Wallet
internal import WalletBooks

/// The order of a history, oldest first: by time, and within equal times by what is known beyond the time.
///
/// This machine's clock and a miner's clock differ, and the clock of this machine may be set. So two facts come before
/// the times: a payment follows the payments whose coins it spends, and the wallet signed its payments in the order of
/// their numbers.
struct HistoryOrder {
    /// The position of one entry.
    struct Place: Comparable {
        /// The time in seconds since 1970, or a later one where an earlier entry has that.
        let seconds: UInt64
        /// The order of what has the same time: from other machines, received, signed here.
        let group: Int
        /// The height of a received payment's block; 0 for other entries.
        let height: UInt32
        /// The order within the group.
        let number: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.seconds, left.group, left.height, left.number)
                < (right.seconds, right.group, right.height, right.number)
        }
    }

    /// The positions of the entries from other machines, then of the signed ones, then of the received ones.
    let places: [Place]

    /// - Parameters:
    ///   - archive: the entries from other machines, oldest first.
    ///   - history: the signed entries, in the order of their numbers.
    ///   - received: the payments that a node reported, newest first.
    init(_ archive: [ArchivedEntry], _ history: [HistoryEntry], _ received: [PaymentRecord]) {
        var known: [TransactionID: UInt64] = [:]
        let incoming = received.enumerated().map { offset, record in
            // Unconfirmed payments are the newest. The times of the oldest blocks are not asked for.
            let seconds = record.time ?? (record.height == nil ? .max : 0)
            known[record.id] = seconds
            return Place(seconds: seconds, group: 1, height: record.height ?? .max, number: -offset)
        }
        var last: UInt64 = 0
        let signed = history.enumerated().map { offset, entry in
            last = max(last, entry.time, entry.spentTransactions.compactMap { known[$0] }.max() ?? 0)
            return Place(seconds: last, group: 2, height: 0, number: offset)
        }
        places =
            archive.enumerated().map { Place(seconds: $1.time, group: 0, height: 0, number: $0) } + signed + incoming
    }
}

extension HistoryEntry {
    /// The transactions whose coins the entry spends; empty on other chains than Bitcoin.
    fileprivate var spentTransactions: [TransactionID] {
        guard case .bitcoin(_, let coins) = conflictSet else { return [] }
        return coins.map(\.transaction)
    }
}
