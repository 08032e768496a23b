internal import ArgumentParser
internal import Custody
internal import Ethereum
internal import Secrets
internal import Terminal
internal import Wallet

struct HistoryCommand: FuekiCommand {
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
        completion: .list(ChainOption.Name.all))
    var chain: ChainOption.Name?

    @Flag(
        help:
            "Ask the nodes that are set ('fueki config', $FUEKI_BITCOIN_NODE, $FUEKI_ETHEREUM_NODE), each of its chain."
    )
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

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let asks = refresh || node.node != nil
        let isGiven =
            chain.map { node.isGiven(for: $0, wallet.network) }
            ?? [.bitcoin, .ethereum(.ethereum)].contains { node.isGiven(for: $0, wallet.network) }
        guard !asks || isGiven else {
            throw .usage("no node is named", hint: "use --node URL, or set $FUEKI_BITCOIN_NODE or $FUEKI_ETHEREUM_NODE")
        }
        let secret = try passphrase.existing()
        let book = try await attempt { () async throws(CustodyError) in
            try await WalletBook.open(of: wallet, in: global.walletHome, passphrase: secret, random: SystemRandom())
        }
        let failures =
            asks ? await HistoryRefresh(wallet: wallet, node: node, book: book, output: output).run(chain) : []
        let entries = await book.history().filter { entry in chain.map { $0.holds(entry.chain, of: wallet) } ?? true }
        let history = HistoryView(entries, contacts: await book.contacts())
        await book.close()
        try output.result(history.entries) { history.text }
        guard let last = failures.last else { return }
        for failure in failures.dropLast() { output.note("warning: \(failure.text)") }
        throw last
    }
}
