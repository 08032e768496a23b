internal import ArgumentParser
internal import Custody

/// The name of an existing wallet. Shells complete it.
struct WalletArgument: ParsableArguments {
    @Argument(
        help: "The wallet's name.",
        completion: .custom { words, _, _ in WalletArgument.names(in: GlobalOptions.home(in: words)) })
    var name: String

    private static func names(in home: WalletHome) -> [String] { home.names().map(\.description) }
}
