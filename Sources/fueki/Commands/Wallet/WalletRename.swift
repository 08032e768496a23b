internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts

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
