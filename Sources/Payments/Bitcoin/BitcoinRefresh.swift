internal import Bitcoin
public import Custody
public import Nodes
internal import Wallet

/// Asks a node what became of what was signed on Bitcoin, and writes it into the book.
public struct BitcoinRefresh: Sendable {
    private let book: WalletBook
    private let chain: any BitcoinChain
    private let report: PaymentListener

    /// Creates a refresh of the history.
    public init(_ book: WalletBook, at chain: any BitcoinChain, report: @escaping PaymentListener = { _ in }) {
        self.book = book
        self.chain = chain
        self.report = report
    }

    /// Asks about each transaction that is not final.
    ///
    /// - Throws: ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``; what was noted before stays.
    public func run() async throws(PaymentError) {
        report(.refreshing(.bitcoin(chain.network)))
        for entry in await book.history() where entry.chain == .bitcoin(chain.network) {
            guard entry.isOpen, let text = entry.id,
                let id = try? TransactionID(text)
            else { continue }
            switch try await fate(of: entry, id) {
            // It may still be sent, or come back: only what took its place, once that stays, ends it.
            case .possible, .impossible, .unclear:
                guard entry.isMined, try await hasCoinsBack(entry) else { continue }
                try await note(.sent, entry)
            case .waiting where entry.state == .sent: continue
            case .waiting: try await note(.sent, entry)
            case .mined(let height, let confirmations):
                let height = UInt64(height)
                try await note(
                    confirmations < PaymentLimits.bitcoinFinalDepth ? .mined(height: height) : .settled(height: height),
                    entry)
            }
        }
    }

    /// A node without an index shows nothing of a transaction whose outputs are spent: then its blocks are searched.
    private func fate(of entry: HistoryEntry, _ id: TransactionID) async throws(PaymentError) -> TransactionFate {
        try await attempt { () async throws(NodeError) in
            if let bytes = entry.transaction, let transaction = try? Transaction(decoding: bytes) {
                return try await chain.fate(of: transaction)
            }
            return switch try await chain.status(of: id) {
            case .unknown: .unclear
            case .waiting: .waiting
            case .mined(let height, let confirmations): .mined(height: height, confirmations: confirmations)
            }
        }
    }

    /// Whether the chain has lost a transaction that was in a block: what it spent is there to be spent. That a node does not show it
    /// says little: without an index, it shows none whose outputs are spent.
    private func hasCoinsBack(_ entry: HistoryEntry) async throws(PaymentError) -> Bool {
        guard case .bitcoin(_, let outPoints) = entry.conflictSet else { return false }
        return try await attempt { () async throws(NodeError) in
            for outPoint in outPoints where try await chain.coin(at: outPoint) != nil { return true }
            return false
        }
    }

    private func note(_ outcome: HistoryEntry.Outcome, _ entry: HistoryEntry) async throws(PaymentError) {
        try await attempt { () async throws(CustodyError) in try await book.note(outcome, of: entry.digest) }
    }
}
