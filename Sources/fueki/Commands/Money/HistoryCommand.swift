internal import ArgumentParser
internal import Custody
internal import Ethereum
internal import PaymentHistory
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct HistoryCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List what a wallet signed on this machine, with its outcome, and what it received.",
        discussion: """
            The newest entry comes first; with --json the oldest. Only with --node or --refresh a node is asked: what \
            became of what was sent, and on Bitcoin what others paid to the wallet. It learns your transactions and \
            addresses. Bitcoin Core does not list what was received and is spent; an explorer does (--esplora).

            'reserved': the command was interrupted before signing was recorded. 'unanswered': the node did not say \
            whether it took it. Times are those of your time zone ($TZ), with --json of UTC. \(furtherOptions)

            EXAMPLES
              fueki history savings
              fueki history savings --since 7d --limit 20
              fueki history savings --refresh
              fueki history savings --node https://explorer.example/api --esplora
              fueki history savings 3f2a9c01
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(
        help: ArgumentHelp(
            "Only this entry, with all details: 6 or more first digits of its id or digest.",
            valueName: "id"))
    var id: String?

    @Option(
        help: ArgumentHelp(
            "Only what was signed for this chain.", valueName: "chain"),
        completion: .list(ChainName.all))
    var chain: ChainName?

    @Flag(
        help:
            "Ask the nodes that are configured for each chain."
    )
    var refresh = false

    @Flag(help: "Only what was signed: do not look for payments to you.")
    var sent = false

    @Option(help: ArgumentHelp("Only so many of the newest entries.", valueName: "number"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Only entries that are not older: 90m, 12h, 7d, 2w, 2026-11-01, '2026-11-01 10:14' (your time zone), "
                + "2026-11-01T09:14:00Z.", valueName: "time"))
    var since: String?

    @OptionGroup var addresses: AddressesOption
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let isForNode = node.cookieFile != nil || node.connection.isGiven || node.esplora
        guard refresh || node.node != nil || !isForNode else {
            throw ValidationError("no node is asked: add --refresh, or --node")
        }
        guard id == nil || (limit == nil && since == nil) else {
            throw ValidationError("an id names one entry: --limit and --since are for the list")
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
        let range = try attempt { () throws(HistoryRangeFault) in
            try HistoryRange(limit: limit, since: since, now: .now, time: .ofSystem)
        }
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
        var selection = HistorySelection(
            whole, await book.archive(), asked.bitcoin?.records, of: chain, on: wallet.network)
        let contacts = await book.contacts()
        await book.close()
        if let id, try !selection.narrow(to: id, contacts: contacts) {
            throw asked.failures.last ?? HistoryView.unknown(id)
        }
        let history = HistoryView(
            selection, of: whole, contacts: contacts, network: wallet.network, newest: asked.newest, unit: unit,
            range: range, time: .ofSystem)
        // Output to a pipe is not wrapped: other tools search it line by line.
        let width = TerminalWidth.known == nil ? Columns(sentences: 10_000, foreign: 10_000) : .ofTerminal
        try output.result(history.entries) { id == nil ? history.text(in: width) : history.details(in: width) }
        for note in asked.bitcoin.map(HistoryView.notes) ?? [] where id == nil { output.note("note: \(note)") }
        guard let last = asked.failures.last else { return }
        for failure in asked.failures.dropLast() { output.note("warning: \(failure.text)") }
        throw last
    }
}
