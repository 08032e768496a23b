internal import Bitcoin
internal import Custody
public import Nodes
internal import Wallet
public import WalletBooks

/// A refresh of the Bitcoin history: it asks a node for the state of signed transactions, and writes it into the book.
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

    /// Asks for each transaction that is not final.
    ///
    /// - Throws: ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``; earlier results stay recorded.
    public func run() async throws(PaymentError) {
        report(.refreshing(.bitcoin(chain.network)))
        for entry in await book.history() where entry.chain == .bitcoin(chain.network) {
            guard entry.isOpen, let text = entry.id,
                let id = try? TransactionID(text)
            else { continue }
            switch try await fate(of: entry, id) {
            // It may still be sent, or return: only a final replacement ends it.
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

    /// Returns the state of a transaction. A node without an index does not show one whose outputs are spent: then its
    /// blocks are searched.
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

    /// Returns whether the chain has lost a mined transaction, so that its coins can be spent again. The node's silence
    /// about it proves little: without an index, it shows no transaction whose outputs are spent.
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
