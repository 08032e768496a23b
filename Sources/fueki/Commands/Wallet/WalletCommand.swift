internal import ArgumentParser

struct WalletCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "Make wallets, list them, show one, and check its shares.",
        subcommands: [WalletCreate.self, WalletList.self, WalletShow.self, WalletCheck.self])
}
