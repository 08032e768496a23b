internal import ArgumentParser

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
