internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import ErrorTexts
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks

/// The coins that are frozen or released.
struct FreezingOptions: ParsableArguments {
    @OptionGroup var wallet: WalletArgument

    @Argument(help: ArgumentHelp("The coins, as 'fueki coins list' names them.", valueName: "txid:vout"))
    var coins: [String]

    @OptionGroup var passphrase: PassphraseOptions

    func change(
        _ global: GlobalOptions, _ output: Output,
        _ change: (WalletBook, Set<OutPoint>) async throws(CustodyError) -> Void
    ) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let named = Set(try CoinOptions.read(coins))
        let frozen = try await passphrase.withBook(of: wallet, in: global) {
            (book) throws(CustodyError) in
            try await change(book, named)
            return await book.frozen()
        }
        let view = FrozenCoinsView(frozen, of: wallet.name)
        try output.receipt(view) { view.text }
    }
}

struct CoinsFreeze: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze", abstract: "Freeze coins: no payment spends them until they are unfrozen.",
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
        commandName: "unfreeze", abstract: "Unfreeze coins.",
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
