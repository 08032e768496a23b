internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts

struct WalletCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "Make, list, show, rename, check, renew, restore and delete wallets.",
        subcommands: [
            WalletCreate.self, WalletList.self, WalletShow.self, WalletRename.self, WalletCheck.self,
            WalletRefresh.self, WalletReshare.self, WalletRepair.self, WalletPassphrase.self, WalletRestore.self,
            WalletImport.self, WalletSweep.self, WalletDelete.self,
        ])
}

struct WalletList: FuekiCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your wallets.")

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let home = global.walletHome
        // A damaged wallet is listed as damaged. It must not hide the other wallets, and the list must not hide it.
        let entries = (home.names() + home.unfinishedNames()).map { name in
            do throws(CustodyError) {
                return WalletListEntry(try home.wallet(name), label: home.label(of: name))
            } catch {
                return WalletListEntry(name, label: home.label(of: name), error)
            }
        }
        try output.result(entries) {
            entries.isEmpty ? "no wallets in \(home.path)" : Table(entries.map(\.row)).text
        }
    }
}

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
        let condition = global.walletHome.passphraseCondition(of: wallet)
        result.passphrase = WalletResult.PassphraseTraces(condition)
        try output.result(result) {
            ([view.text] + (pending.map { [RenewalAdvice.text(on: $0, of: wallet.name)] } ?? [])
                + (newer.map { [RenewalAdvice.text(onNewer: $0, of: wallet.name)] } ?? [])
                + PassphraseAdvice.sentences(on: condition, of: wallet.name).map { "warning: \($0)" })
                .joined(separator: "\n\n")
        }
    }
}

struct WalletRename: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a wallet another name on this machine.",
        discussion: """
            The new name is a label: every command takes it in place of the wallet's own name, which stays valid. The \
            share files and their names do not change, and no passphrase is needed. 'wallet restore' on another machine \
            uses the own name, which 'wallet show' shows. Rename the wallet to its own name to remove the label.

            EXAMPLES
              fueki wallet rename savings house
              fueki wallet rename house savings
            """)

    @Argument(help: "The wallet's present name: its own name or its label.", completion: .wallets)
    var old: String

    @Argument(help: "The new name: letters, digits, '.', '_' and '-'.")
    var new: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let home = global.walletHome
        let name = try attempt { () throws(CustodyError) in
            try home.rename(try WalletName(old), to: try WalletName(new))
        }
        try output.receipt(RenamedWallet(name, home.label(of: name)))
    }
}
