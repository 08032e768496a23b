internal import ArgumentParser
internal import Custody
internal import Secrets
internal import Wallet

struct HistoryCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List what a wallet has signed on this machine, and what became of it.",
        discussion: """
            The list is sealed with the wallet's passphrase. With --node, the node is asked first what became of what was \
            sent. What is 'reserved' was about to be signed when the command was interrupted: nobody knows whether it was.

            EXAMPLES
              fueki history savings
              fueki history savings --chain bitcoin --node http://127.0.0.1:8332
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(
        help: ArgumentHelp(
            "Only what was signed for this chain (default: all).", valueName: "chain"),
        completion: .list(["bitcoin", "ethereum", "sepolia"]))
    var chain: ChainOption.Name?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        if node.node != nil, chain != nil, chain != .bitcoin { throw .usage("--node is asked about Bitcoin only") }
        let asked = node.node == nil ? nil : try await node.bitcoin(for: wallet)
        let secret = try passphrase.existing()
        let book = try await attempt { () async throws(CustodyError) in
            try await WalletBook.open(of: wallet, in: global.walletHome, passphrase: secret, random: SystemRandom())
        }
        if let asked { try await BitcoinRefresh(book: book, chain: asked, output: output).run() }
        let entries = await book.history().filter { entry in chain.map { $0.holds(entry.chain, of: wallet) } ?? true }
        let history = HistoryView(entries, contacts: await book.contacts())
        await book.close()
        try output.result(history.entries) { history.text }
    }
}
