internal import ArgumentParser
internal import Custody

struct WalletShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what is public of a wallet: its key, its descriptor, and where its shares are.")

    @Argument(help: "The wallet's name.")
    var name: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: name)
        let view = try WalletView(wallet)
        output.result(view) { view.text }
    }
}
