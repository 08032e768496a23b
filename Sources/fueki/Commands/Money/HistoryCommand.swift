internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Ethereum
internal import Payments
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts
internal import Wallet

struct HistoryCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List what a wallet signed on this machine, with its outcome, and what it received.",
        discussion: """
            The list begins with the newest entry; with --json the oldest is first. It is sealed with the wallet's \
            passphrase. A node is asked only with --node or --refresh: it learns \
            which transactions and addresses are yours. It tells what became of what was sent, and on Bitcoin what others \
            paid to the wallet. Bitcoin Core keeps no record of spent coins: what was received, and spent on another \
            machine, is listed by an explorer only (--esplora). With --sent no node is asked for what was received.

            What is 'reserved' was about to be signed when the command was interrupted: it is not known whether it was. What is 'unanswered' was handed \
            to a node that did not say whether it took it.

            Times are those of your time zone ($TZ); with --json they are UTC. The digits behind the time are the beginning of the \
            transaction's id: 'history', 'speed-up', 'cancel' and 'pending' take 6 of them or more.

            EXAMPLES
              fueki history savings
              fueki history savings --refresh
              fueki history savings --node https://explorer.example/api --esplora
              fueki history savings 3f2a9c01
              fueki history savings --chain ethereum --refresh
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(
        help: ArgumentHelp(
            "Only this entry, with all that is known of it: the first 6 digits or more of its id or digest.",
            valueName: "id"))
    var id: String?

    @Option(
        help: ArgumentHelp(
            "Only what was signed for this chain (default: all).", valueName: "chain"),
        completion: .list(ChainName.all))
    var chain: ChainName?

    @Flag(
        help:
            "Ask the configured nodes ('fueki config', $FUEKI_BITCOIN_NODE, $FUEKI_ETHEREUM_NODE), each of its chain."
    )
    var refresh = false

    @Flag(help: "Only what was signed: no node is asked for payments to the wallet's addresses.")
    var sent = false

    @OptionGroup var addresses: AddressesOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let isForNode = node.cookieFile != nil || node.connection.isGiven || node.esplora
        guard refresh || node.node != nil || !isForNode else {
            throw ValidationError("no node is asked: add --refresh, or --node")
        }
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let asks = refresh || node.node != nil
        let isGiven =
            chain.map { node.isGiven(for: $0, wallet) }
            ?? [.bitcoin, .ethereum(.ethereum)].contains { node.isGiven(for: $0, wallet) }
        guard !asks || isGiven else {
            throw .usage("no node is named", hint: "use --node URL, or set $FUEKI_BITCOIN_NODE or $FUEKI_ETHEREUM_NODE")
        }
        let reach = addresses.reach(of: wallet, in: global.walletHome)
        let unit = try global.unit(for: wallet)
        let secret = try passphrase.existing()
        let book = try await attempt { () async throws(CustodyError) in
            try await WalletBook.open(of: wallet, in: global.walletHome, passphrase: secret, random: SystemRandom())
        }
        let short = id.flatMap(ShortID.init)
        // If the ID names an entry of the book, the node is not asked for received payments.
        let known = await book.history()
        let withReceived = !sent && (id == nil || short.map(known.named)?.isEmpty == true)
        let asked =
            asks
            ? await NodeAnswers(
                of: HistoryRefresh(
                    book, of: wallet, reach: reach, report: output.listener(for: wallet.name)), node, wallet, output
            ).of(chain, withReceived: withReceived) : NodeAnswers.Collected()
        let whole = await book.history()
        func isWanted(_ other: Chain?) -> Bool {
            chain == nil || chain == other.flatMap { ChainName($0, of: wallet.network) }
        }
        var entries = whole.filter { isWanted($0.chain) }
        var archive = await book.archive().filter { isWanted($0.chain) }
        var received = asked.bitcoin?.records.foreign
        let contacts = await book.contacts()
        await book.close()
        if let id {
            entries = short.map(entries.named) ?? []
            archive = short.map(archive.named) ?? []
            received = short.flatMap { short in received?.named(short) }
            let count = entries.count + (received?.count ?? 0)
            guard count <= 1 else {
                throw HistoryView.ambiguous(id, entries, contacts: contacts, received: received ?? [])
            }
            guard count + archive.count > 0 else { throw asked.failures.last ?? HistoryView.unknown(id) }
        }
        let history = HistoryView(
            entries, of: whole, archive: archive, contacts: contacts, received: received, network: wallet.network,
            newest: asked.newest, unit: unit, time: .ofSystem)
        // Output to a pipe is not wrapped: other tools search it line by line.
        let width = TerminalWidth.known == nil ? Columns(sentences: 10_000, foreign: 10_000) : .ofTerminal
        try output.result(history.entries) { id == nil ? history.text(in: width) : history.details(in: width) }
        for note in asked.bitcoin.map(HistoryView.notes) ?? [] where id == nil { output.note("note: \(note)") }
        guard let last = asked.failures.last else { return }
        for failure in asked.failures.dropLast() { output.note("warning: \(failure.text)") }
        throw last
    }
}
