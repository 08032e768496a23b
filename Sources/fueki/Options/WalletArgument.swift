internal import ArgumentParser
internal import Custody

/// The name of an existing wallet. Shells complete it.
struct WalletArgument: ParsableArguments {
    @Argument(
        help: "The wallet's name, or its label.",
        completion: .custom { words, _, _ in WalletArgument.names(in: GlobalOptions.home(in: words)) })
    var name: String

    /// Returns the names that name a wallet, for the shells.
    static func names(in home: WalletHome) -> [String] { home.allNames().map(\.description) }
}
