internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Presentation
internal import Terminal
internal import Texts

struct PSBTInspect: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a transaction does, as your wallets see it.",
        discussion: """
            Whose an input or output is, is computed from your wallets' keys, whatever the file claims. Signs nothing, and \
            needs no passphrase. The digest stands for all that is shown: 'psbt sign --expect' signs nothing else.

            EXAMPLE
              fueki psbt inspect payment.psbt
            """)

    @Argument(help: "The PSBT: binary, base64 or hexadecimal; '-' is standard input.", completion: .file())
    var file: String

    @Option(help: .value("name", "Look at it as this wallet (default: the one that it spends from)."))
    var wallet: String?

    @Option(help: "The chain whose addresses are shown, if it concerns none of your wallets.")
    var network = Network.mainnet

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let psbt = try TransactionFile.read(file).psbt
        let (view, wallet) = try view(of: psbt, output)
        let unit = try Settings.checked(in: global.walletHome).unit(for: wallet)
        try output.result(view) { view.text(columns: TerminalWidth.columns, unit: unit) }
    }

    /// Returns the view, and the name of the wallet that it is of.
    private func view(of psbt: PSBT, _ output: Output) throws(Failure) -> (SpendView, WalletName?) {
        if let wallet {
            let record = try global.wallet(named: wallet)
            return (try SpendView(psbt, from: record, now: .now), record.name)
        }
        var receiving: (SpendView, WalletName?)?
        for name in global.walletHome.names() {
            let view: SpendView
            do throws(Failure) {
                view = try SpendView(psbt, from: global.wallet(named: name.description), now: .now)
            } catch {
                output.note("warning: \(error.message)")
                continue
            }
            if view.inputs.contains(where: \.ours) { return (view, name) }
            if receiving == nil, view.outputs.contains(where: \.ours) { receiving = (view, name) }
        }
        return receiving ?? (SpendView(psbt, on: network, now: .now), nil)
    }
}
