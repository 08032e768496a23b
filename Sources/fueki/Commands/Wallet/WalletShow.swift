internal import ArgumentParser
internal import Custody

struct WalletShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a wallet: its public key, its descriptor, and where its shares are.",
        discussion: """
            Needs no passphrase. Import the descriptor into Bitcoin Core or another wallet to watch the coins, and to write \
            the payments that Fueki signs.
            """)

    @OptionGroup var wallet: WalletArgument

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let view = try WalletView(global.wallet(named: wallet.name))
        try output.result(view) { view.text }
    }
}
