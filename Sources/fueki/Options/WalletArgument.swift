internal import ArgumentParser
internal import Custody

/// The name of an existing wallet. Shells complete it.
struct WalletArgument: ParsableArguments {
    @Argument(help: "The wallet's name, or its label.", completion: .wallets)
    var name: String
}

extension CompletionKind {
    /// The names that name a wallet.
    static var wallets: CompletionKind {
        .custom { words, _, _ in GlobalOptions.home(in: words).allNames().map(\.description) }
    }
}
