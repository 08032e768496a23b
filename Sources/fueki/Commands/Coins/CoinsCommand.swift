internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks

struct CoinsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coins", abstract: "List a wallet's coins on Bitcoin, freeze some, and join small ones.",
        discussion: """
            A coin is what one transaction paid to one address. What is put aside (frozen) is spent by no payment, no \
            speed-up and no joining, until it is given back: coins that somebody sent to find out which addresses belong \
            together, or that are to stay apart.
            """,
        subcommands: [CoinsList.self, CoinsFreeze.self, CoinsUnfreeze.self, CoinsConsolidate.self])
}

/// The coins that are frozen or released.
struct FreezingOptions: ParsableArguments {
    @OptionGroup var wallet: WalletArgument

    @Argument(help: .value("txid:vout", "The coins, as 'fueki coins list' names them."))
    var coins: [String]

    @OptionGroup var passphrase: PassphraseOptions

    /// Freezes or unfreezes the coins.
    func run(freezes: Bool, _ global: GlobalOptions, _ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let named = Set(try CoinOptions.read(coins))
        let frozen = try await passphrase.withBook(of: wallet, in: global) {
            (book) throws(CustodyError) in
            try await freezes ? book.freeze(named) : book.unfreeze(named)
            return await book.frozen()
        }
        try output.receipt(FrozenCoinsView(frozen, of: wallet.name))
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
        try await options.run(freezes: true, global, output)
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
        try await options.run(freezes: false, global, output)
    }
}
