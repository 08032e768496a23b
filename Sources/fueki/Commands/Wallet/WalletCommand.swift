internal import ArgumentParser

struct WalletCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "Make, list, show, check and restore wallets.",
        subcommands: [
            WalletCreate.self, WalletList.self, WalletShow.self, WalletCheck.self, WalletRestore.self,
        ])
}
