internal import ArgumentParser

struct HistoryCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List what a wallet has signed on this machine, and what became of it.",
        discussion: """
            The list is sealed with the wallet's passphrase.

            EXAMPLE
              fueki history savings
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        throw Failure(code: .other, name: "missing", message: "not made yet")
    }
}
