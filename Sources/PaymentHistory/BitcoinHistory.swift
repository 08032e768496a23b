internal import Amounts
public import Bitcoin
public import Custody
public import Nodes
public import Payments
internal import Wallet
public import WalletBooks

/// The Bitcoin transactions of a wallet: those that it signed, by its book, and incoming payments.
///
/// An explorer lists what was ever paid to an address. Bitcoin Core has no record of spent outputs: payments from others
/// are found by the wallet's coins, and by the coins that the book's own transactions spend.
public struct BitcoinHistory: Sendable {
    /// The transactions: first the unconfirmed ones, then the mined ones, newest first.
    public let records: [PaymentRecord]
    /// The coins of the node's list that were skipped.
    public let unlisted: UnlistedCoins
    /// The number of payments from others that were found and are missing in ``records``: the node does not show their
    /// transactions, or they are more than are asked for.
    public let unseen: Int
    /// The addresses whose payments the node does not list to the end: older payments to them may be missing, and
    /// ``unseen`` does not count them.
    public let crowded: [Address<Checked>]
    /// Whether the node has a record of spent outputs. Without it, a payment from others is missing if another machine
    /// has spent it.
    public let listsSpent: Bool

    /// Asks a node, and reads the book.
    ///
    /// It needs the requests of a search for coins, at an explorer one or more for each used address, and at most a
    /// thousand more.
    ///
    /// - Parameters:
    ///   - book: the wallet's book, refreshed before (`BitcoinRefresh`).
    ///   - reach: the addresses to search.
    /// - Throws: `PaymentError.node(_:)`, `PaymentError.custody(_:)`.
    public init(
        of wallet: WalletRecord, _ book: WalletBook, at chain: any BitcoinChain, reach: AddressReach,
        report: @escaping PaymentListener = { _ in }
    ) async throws(PaymentError) {
        let spendable = try await SpendableCoins.found(by: chain, for: wallet, reach: reach, report: report)
        let tip = try await PaymentError.attempt { () async throws(NodeError) in try await chain.height() }
        let entries = await book.history().filter { $0.chain == .bitcoin(chain.network) }
        // The archive comes from a document that anyone can have changed: it can take nothing out of the list that does
        // not spend the wallet's coins.
        let archive = await book.archive().filter { $0.chain == .bitcoin(chain.network) }
        var found = FoundTransactions(of: spendable.ownership, entries, archive)
        for coin in spendable.coins {
            guard let transaction = coin.previousTransaction else { continue }
            found.add(
                transaction,
                coin.confirmations == 0
                    ? .waiting
                    : .mined(height: tip - min(tip, coin.confirmations - 1), confirmations: coin.confirmations))
        }
        let listed = try await PaymentError.attempt { () async throws(NodeError) in
            try await chain.payments(to: spendable.usedScripts)
        }
        listsSpent = listed != nil
        crowded = (listed?.crowded ?? []).compactMap { Address<Checked>($0, on: chain.network) }
        var unseen = listed?.leftOutCount ?? 0
        let spent = entries.reversed().flatMap(\.spentCoins).map(\.transaction)
        var (looks, size) = (0, 0)
        for id in found.missing(of: (listed?.ids ?? []) + spent) {
            looks += 1
            guard looks <= Limits.looks, size <= Limits.size else {
                unseen += 1
                continue
            }
            let (transaction, status) = try await PaymentError.attempt { () async throws(NodeError) in
                (try await chain.transaction(id), try await chain.status(of: id))
            }
            guard let transaction, transaction.id == id else {
                unseen += 1
                continue
            }
            size += transaction.virtualSize
            found.add(transaction, status)
        }
        for id in found.origins.prefix(Limits.origins) {
            let transaction = try await PaymentError.attempt { () async throws(NodeError) in
                try await chain.transaction(id)
            }
            if let transaction, transaction.id == id { found.know(transaction) }
        }
        var records = entries.compactMap { PaymentRecord($0, tip: tip) } + (try found.records)
        records.sort { left, right in
            let (one, other) = (left.height ?? .max, right.height ?? .max)
            return one == other ? left.id.description < right.id.description : one > other
        }
        let heights = Array(Set(records.compactMap(\.height)).sorted(by: >).prefix(Limits.times))
        var times: [UInt32: UInt64] = [:]
        for height in heights {
            times[height] = try await PaymentError.attempt { () async throws(NodeError) in
                try await chain.time(ofBlockAt: height)
            }
        }
        for index in records.indices { records[index].time = records[index].height.flatMap { times[$0] } }
        self.records = records
        self.unseen = unseen
        unlisted = spendable.unlisted
    }
}

extension PaymentRecord {
    /// Creates the record of a transaction that the book has signed; nil for an entry without identifier.
    fileprivate init?(_ entry: HistoryEntry, tip: UInt32) {
        guard let id = entry.id.flatMap({ try? TransactionID($0) }) else { return nil }
        let status: TransactionStatus =
            switch entry.state {
            case .mined(let height), .settled(let height):
                // A book may be ahead of a node.
                .mined(
                    height: UInt32(clamping: height),
                    confirmations: max(tip, UInt32(clamping: height)) - UInt32(clamping: height) + 1)
            case .sent: .waiting
            case .reserved, .failed, .signed, .unanswered, .replaced: .unknown
            }
        self.init(
            id: id, kind: .own(entry), receipts: [],
            fee: entry.highestFee.flatMap(\.uint64).flatMap { try? Amount(satoshis: $0) }, status: status)
    }
}

extension HistoryEntry {
    /// The coins that the entry's transaction spends; empty if it can no longer be mined.
    fileprivate var spentCoins: [OutPoint] {
        guard case .bitcoin(_, let coins) = conflictSet, state != .failed, state != .replaced else { return [] }
        return coins.sorted { $0.description < $1.description }
    }
}
