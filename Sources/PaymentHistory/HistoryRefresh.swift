public import Custody
public import Nodes
public import Payments
public import Wallet
public import WalletBooks

/// A refresh of a wallet's history: it asks a node of each chain for the states of the transactions that the book has
/// signed, and on Bitcoin for the payments of others.
public struct HistoryRefresh: Sendable {
    /// A node of one chain.
    public enum Node: Sendable {
        /// A node or an explorer of Bitcoin, on the wallet's network.
        case bitcoin(any BitcoinChain)
        /// A node of a chain of Ethereum's kind.
        case ethereum(EthereumNode)
    }

    /// The answer of one node, as far as it came.
    public struct Answer: Sendable {
        /// The chain.
        public let chain: Chain
        /// The height of its newest block; nil if the node did not say.
        public let newest: UInt64?
        /// The transactions on Bitcoin, with the payments from others; nil if they were not asked for, or if the node failed.
        public let bitcoin: BitcoinHistory?
        /// The node's failure; what it said before is in the book.
        public let problem: PaymentError?
    }

    private let book: WalletBook
    private let wallet: WalletRecord
    private let reach: AddressReach
    private let report: PaymentListener

    /// Creates a refresh.
    ///
    /// - Parameter reach: the addresses that are searched for payments from others.
    public init(
        _ book: WalletBook, of wallet: WalletRecord, reach: AddressReach, report: @escaping PaymentListener = { _ in }
    ) {
        (self.book, self.wallet, self.reach, self.report) = (book, wallet, reach, report)
    }

    /// The chains whose nodes may have news: those with entries whose outcome is not final, and Bitcoin if payments from
    /// others are listed.
    ///
    /// - Parameter withReceived: whether payments from others are listed.
    public func chains(withReceived: Bool) async -> [ChainName] {
        let open = await book.openChains(of: wallet.network)
        return withReceived && !open.contains(.bitcoin) ? open + [.bitcoin] : open
    }

    /// Returns whether the book has an open entry on a chain, so that a person should know if no node is asked.
    public func isOpen(_ chain: ChainName) async -> Bool { await book.openChains(of: wallet.network).contains(chain) }

    /// Asks one node. A failure is part of the answer: what the book has can be shown anyway.
    ///
    /// - Parameter withReceived: whether a node of Bitcoin is asked for the payments of others: it learns the wallet's
    ///   addresses.
    public func ask(_ node: Node, withReceived: Bool) async -> Answer {
        switch node {
        case .bitcoin(let chain):
            var history: BitcoinHistory?
            var problem: PaymentError?
            do throws(PaymentError) {
                try await BitcoinRefresh(book, at: chain, report: report).run()
                if withReceived {
                    history = try await BitcoinHistory(of: wallet, book, at: chain, reach: reach, report: report)
                }
                try await check { () async throws(NodeError) in try await chain.lag() }
            } catch { problem = error }
            return Answer(
                chain: .bitcoin(wallet.network), newest: (try? await chain.height()).map { UInt64($0) },
                bitcoin: history, problem: problem)
        case .ethereum(let node):
            var problem: PaymentError?
            do throws(PaymentError) {
                try await EthereumRefresh(book, at: node, report: report).run()
                try await check { () async throws(NodeError) in try await node.lag() }
            } catch { problem = error }
            return Answer(
                chain: .ethereum(node.chain), newest: try? await node.height(), bitcoin: nil, problem: problem)
        }
    }

    /// Checks that the node has all blocks that it knows of.
    ///
    /// - Throws: `PaymentError.node(_:)` with `NodeError.syncing(_:)`.
    private func check(_ lag: () async throws(NodeError) -> ChainLag?) async throws(PaymentError) {
        guard let lag = try await PaymentError.attempt(lag) else { return }
        throw .node(.syncing(lag))
    }
}
