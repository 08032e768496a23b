internal import ArgumentParser
internal import Custody
internal import HDKeys
internal import Terminal
internal import Threshold
internal import Wallet

struct WalletList: FuekiCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List your wallets.")

    @OptionGroup var global: GlobalOptions

    private struct Entry: Encodable {
        let name: String
        let network: String?
        let threshold: Int?
        let total: Int?
        /// Why the wallet cannot be used, where it cannot.
        let error: String?
    }

    func perform(_ output: Output) throws(Failure) {
        let home = global.walletHome
        // A damaged wallet is listed as what it is: the list must not hide the others, nor it.
        let entries = home.names().map { entry($0, in: home) }
        try output.result(entries) {
            if entries.isEmpty { return "no wallets in \(home.path)" }
            return Table(
                entries.map { entry in
                    guard let network = entry.network, let threshold = entry.threshold, let total = entry.total else {
                        return [entry.name, entry.error ?? ""]
                    }
                    return [entry.name, network, "\(threshold) of \(total)"]
                }
            ).text
        }
    }

    private func entry(_ name: WalletName, in home: WalletHome) -> Entry {
        do throws(CustodyError) {
            let wallet = try home.wallet(name)
            return Entry(
                name: name.description, network: wallet.network.name, threshold: wallet.parameters.threshold,
                total: wallet.parameters.total, error: nil)
        } catch {
            return Entry(
                name: name.description, network: nil, threshold: nil, total: nil, error: error.failure.message)
        }
    }
}
