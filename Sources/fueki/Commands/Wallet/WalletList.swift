internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts

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
