internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts

struct WalletShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a wallet: its public key, its descriptor, and where its shares are.",
        discussion: """
            Needs no passphrase. Import the descriptor into Bitcoin Core or another wallet to watch the coins, and to write \
            the payments that Fueki signs.
            """)

    @OptionGroup var wallet: WalletArgument

    @Flag(help: "Print only the key file with which minisign verifies the files that the wallet signs.")
    var minisignKey = false

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        if minisignKey {
            return try output.result(MinisignKeyView(wallet.minisignKey))
        }
        let view = try WalletView(
            wallet, label: global.walletHome.label(of: wallet.name), present: wallet.presentShares)
        // The commands that need the journal report damage to it.
        let pending = try? RenewalCleanup(of: wallet.name, in: global.walletHome).pending()
        let newer = pending == nil ? wallet.newerFile(in: global.walletHome)?.path : nil
        var result = WalletResult(view)
        (result.renewal, result.newer) = (pending?.word, newer)
        try output.result(result) {
            ([view.text] + (pending.map { [RenewalAdvice.text(on: $0, of: wallet.name)] } ?? [])
                + (newer.map { [RenewalAdvice.text(onNewer: $0, of: wallet.name)] } ?? [])).joined(separator: "\n\n")
        }
    }
}
