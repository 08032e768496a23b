internal import ArgumentParser
internal import Custody
internal import Wallet

struct PSBTInspect: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a transaction does, as your wallets see it.",
        discussion: """
            Whose an input or output is, is computed from your wallets' keys, whatever the file claims. Without a wallet \
            of yours in it, addresses are shown for --network.
            """)

    @Argument(help: "The PSBT: binary, base64 or hexadecimal; '-' is standard input.", completion: .file())
    var file: String

    @Option(help: "Look at it as this wallet (default: the one that it spends from).")
    var wallet: String?

    @Option(
        help: "The chain of the addresses where it spends from none of your wallets.",
        completion: .list(Network.allCases.map(\.name)))
    var network: String?

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let psbt = try TransactionFile.read(file).psbt
        let view = try view(of: psbt)
        output.result(view) { view.text }
    }

    private func view(of psbt: PSBT) throws(Failure) -> SpendView {
        if let wallet {
            let record = try global.wallet(named: wallet)
            return SpendView(
                try attempt { () throws(CustodyError) in try ProposedSpend(psbt, from: record) }.summary,
                wallet: record.name)
        }
        let home = global.walletHome
        for name in home.names() {
            guard let record = try? home.wallet(name), let spend = try? ProposedSpend(psbt, from: record),
                spend.summary.isOurs
            else { continue }
            return SpendView(spend.summary, wallet: name)
        }
        guard let chain = Network(name: network ?? Network.mainnet.name) else {
            throw .usage("there is no network '\(network ?? "")'")
        }
        return SpendView(SpendSummary(of: psbt, for: .nobody(on: chain)), wallet: nil)
    }
}

extension SpendSummary {
    /// Whether any input or output belongs to the wallet.
    fileprivate var isOurs: Bool { inputs.contains { $0.path != nil } || outputs.contains { $0.path != nil } }
}
