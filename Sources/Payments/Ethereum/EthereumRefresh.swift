internal import Custody
internal import Encoding
internal import Ethereum
public import Nodes
internal import Wallet
public import WalletBooks

/// A refresh of the Ethereum history: it asks a node for the state of signed transactions, and writes it into the book.
public struct EthereumRefresh: Sendable {
    private let book: WalletBook
    private let node: EthereumNode
    private let report: PaymentListener

    /// Creates a refresh of the history.
    public init(_ book: WalletBook, at node: EthereumNode, report: @escaping PaymentListener = { _ in }) {
        self.book = book
        self.node = node
        self.report = report
    }

    /// The number of blocks after which a block is final, unless the whole network is attacked.
    private var depth: UInt64 { node.chain.finalDepth }

    /// Asks for each transaction that is not final.
    ///
    /// - Throws: ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``; earlier results stay recorded.
    public func run() async throws(PaymentError) {
        report(.refreshing(.ethereum(node.chain)))
        for entry in await book.history() where entry.chain == .ethereum(node.chain) {
            guard entry.isOpen, let id = entry.id,
                let hash = try? Hex.decode(String(id.dropFirst(2)))
            else { continue }
            let transaction = entry.signedEthereumTransaction
            let status = try await attempt { () async throws(NodeError) in
                if let transaction { try await node.status(of: transaction) } else { try await node.status(of: hash) }
            }
            switch status {
            // It may still be sent, or return: only a final replacement ends it.
            case .unknown:
                guard case .mined(let height) = entry.state, try await isRecent(height) else { continue }
                try await note(.sent, entry)
            case .waiting where entry.state == .sent: continue
            case .waiting: try await note(.sent, entry)
            // The failure is the node's claim. It does not make the payee known, and the same order asks a question.
            case .mined(let receipt) where !receipt.isSuccess:
                report(.foundReverted(id: id, height: receipt.height))
                if entry.state != .sent { try await note(.sent, entry) }
            case .mined(let receipt):
                try await note(
                    receipt.confirmations < depth
                        ? .mined(height: receipt.height) : .settled(height: receipt.height), entry)
            }
        }
    }

    /// Returns whether a block is so new that any node still shows its transactions, if the chain has the block.
    private func isRecent(_ height: UInt64) async throws(PaymentError) -> Bool {
        let newest = try await attempt { () async throws(NodeError) in try await node.height() }
        return newest < height.addingReportingOverflow(depth).partialValue
    }

    private func note(_ outcome: HistoryEntry.Outcome, _ entry: HistoryEntry) async throws(PaymentError) {
        try await attempt { () async throws(CustodyError) in try await book.note(outcome, of: entry.digest) }
    }
}
