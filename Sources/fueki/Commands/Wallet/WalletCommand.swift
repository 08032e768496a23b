internal import ArgumentParser

struct WalletCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet", abstract: "Make, list, show, rename, check, renew, restore and delete wallets.",
        subcommands: [
            WalletCreate.self, WalletList.self, WalletShow.self, WalletRename.self, WalletCheck.self,
            WalletRefresh.self, WalletReshare.self, WalletRepair.self, WalletRestore.self, WalletImport.self,
            WalletSweep.self,
            WalletDelete.self,
        ])
}
