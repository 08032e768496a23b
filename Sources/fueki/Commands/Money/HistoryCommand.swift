internal import ArgumentParser
internal import Custody
internal import Nodes
internal import Secrets
internal import Wallet

struct HistoryCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List what a wallet has signed on this machine, and what became of it.",
        discussion: """
            The list is sealed with the wallet's passphrase. A node is asked only with --node or --refresh: it learns which \
            transactions are yours. It tells what became of what was sent. What is 'reserved' was about to be signed when the command was interrupted: nobody knows whether it was. \
            What is 'unanswered' was handed to a node that did not say whether it took it.

            EXAMPLES
              fueki history savings
              fueki history savings --refresh
              fueki history savings --chain ethereum --refresh
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(
        help: ArgumentHelp(
            "Only what was signed for this chain (default: all).", valueName: "chain"),
        completion: .list(["bitcoin", "ethereum", "sepolia"]))
    var chain: ChainOption.Name?

    @Flag(help: "Ask the node that $FUEKI_BITCOIN_NODE or $FUEKI_ETHEREUM_NODE names, as --node does with another one.")
    var refresh = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let isForNode = node.cookieFile != nil || node.nodeCa != nil || node.esplora
        guard refresh || node.node != nil || !isForNode else {
            throw ValidationError("no node is asked: add --refresh, or --node")
        }
    }

    var asked: (node: NodeOptions, chain: ChainOption.Name) { (node, chain ?? .bitcoin) }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let (bitcoin, ethereum) = try await nodes(for: wallet)
        let secret = try passphrase.existing()
        let book = try await attempt { () async throws(CustodyError) in
            try await WalletBook.open(of: wallet, in: global.walletHome, passphrase: secret, random: SystemRandom())
        }
        if let bitcoin { try await BitcoinRefresh(book: book, chain: bitcoin, output: output).run() }
        if let ethereum { try await EthereumRefresh(book: book, node: ethereum, output: output).run() }
        let entries = await book.history().filter { entry in chain.map { $0.holds(entry.chain, of: wallet) } ?? true }
        let history = HistoryView(entries, contacts: await book.contacts())
        await book.close()
        try output.result(history.entries) { history.text }
    }

    /// The node that is asked, of the chain that is listed; of all chains, a node of Bitcoin.
    private func nodes(
        for wallet: WalletRecord
    ) async throws(Failure) -> (bitcoin: (any BitcoinChain)?, ethereum: EthereumNode?) {
        guard refresh || node.node != nil else { return (nil, nil) }
        guard case .ethereum(let id) = chain else { return (try await node.bitcoin(for: wallet), nil) }
        return (nil, try await node.ethereum(chain: id))
    }
}
