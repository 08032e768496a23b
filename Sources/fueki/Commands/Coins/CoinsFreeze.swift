internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Terminal
internal import Wallet

/// Which coins are put aside, or given back.
struct FreezingOptions: ParsableArguments {
    @OptionGroup var wallet: WalletArgument

    @Argument(help: ArgumentHelp("The coins, as 'fueki coins list' names them.", valueName: "txid:vout"))
    var coins: [String]

    @OptionGroup var passphrase: PassphraseOptions

    /// What is frozen now.
    struct Result: Encodable {
        let wallet: String
        let frozen: [String]
    }

    func change(
        _ global: GlobalOptions, _ output: Output,
        _ change: (WalletBook, Set<OutPoint>) async throws(CustodyError) -> Void
    ) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let named = Set(try CoinOptions.read(coins))
        let secret = try passphrase.existing()
        let frozen = try await global.walletHome.withBook(of: wallet, passphrase: secret) {
            (book) throws(CustodyError) in
            try await change(book, named)
            return await book.frozen()
        }
        let texts = frozen.map(\.description).sorted()
        try output.result(Result(wallet: wallet.name.description, frozen: texts)) {
            (["\(texts.count) \(texts.count == 1 ? "coin is" : "coins are") frozen"] + texts.map { "  \($0)" })
                .joined(separator: "\n")
        }
    }
}

struct CoinsFreeze: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze", abstract: "Put coins aside: nothing spends them until they are given back.",
        discussion: """
            The wallet's book on this machine remembers it. No node is asked: it can be done before a coin is mined.

            EXAMPLE
              fueki coins freeze savings 5a…:1
            """)

    @OptionGroup var options: FreezingOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try await options.change(global, output) { (book, coins) async throws(CustodyError) in
            try await book.freeze(coins)
        }
    }
}

struct CoinsUnfreeze: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "unfreeze", abstract: "Give back coins that were put aside.",
        discussion: """
            EXAMPLE
              fueki coins unfreeze savings 5a…:1
            """)

    @OptionGroup var options: FreezingOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try await options.change(global, output) { (book, coins) async throws(CustodyError) in
            try await book.unfreeze(coins)
        }
    }
}
