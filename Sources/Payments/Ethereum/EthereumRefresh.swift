public import Custody
internal import Encoding
internal import Ethereum
public import Nodes
internal import Wallet

/// Asks a node what became of what was signed on Ethereum, and writes it into the book.
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

    /// Blocks from which on nothing is taken back, unless the whole network is attacked.
    private var depth: UInt64 { node.chain.finalDepth }

    /// Asks about each transaction that is not final.
    ///
    /// - Throws: ``PaymentError/node(_:)``, ``PaymentError/custody(_:)``; what was noted before stays.
    public func run() async throws(PaymentError) {
        report(.refreshing(.ethereum(node.chain)))
        for entry in await book.history() where entry.chain == .ethereum(node.chain) {
            guard entry.isOpen, let id = entry.id,
                let hash = try? Hex.decode(String(id.dropFirst(2)))
            else { continue }
            switch try await attempt({ () async throws(NodeError) in try await node.status(of: hash) }) {
            // It may still be sent, or come back: only what took its place, once that stays, ends it.
            case .unknown:
                guard case .mined(let height) = entry.state, try await isRecent(height) else { continue }
                try await note(.sent, entry)
            case .waiting where entry.state == .sent: continue
            case .waiting: try await note(.sent, entry)
            // As the node says. Who is to be paid is not known by it, and the same payment is asked about.
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

    /// Whether a block is so new that any node still shows what is in it, if the chain has it.
    private func isRecent(_ height: UInt64) async throws(PaymentError) -> Bool {
        let newest = try await attempt { () async throws(NodeError) in try await node.height() }
        return newest < height.addingReportingOverflow(depth).partialValue
    }

    private func note(_ outcome: HistoryEntry.Outcome, _ entry: HistoryEntry) async throws(PaymentError) {
        try await attempt { () async throws(CustodyError) in try await book.note(outcome, of: entry.digest) }
    }
}
