internal import ArgumentParser
internal import Custody
internal import Terminal
internal import Texts

struct WalletRefresh: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Replace all shares of a wallet by new ones; keys and addresses stay.",
        discussion: """
            Do it when a share may have been copied, and now and then: what was stolen before is worth nothing \
            afterwards, as long as it was less than a threshold of shares. Every share has to be there. The new files \
            lie beside the old ones, which are removed when all new ones are in place. An interruption leaves the old \
            shares or the new ones, never some of each.

            If several machines have the wallet, renew it on one of them only. On the others, 'fueki wallet restore' \
            with a threshold of the new files brings it up to date. Two that renew on their own make two sets of \
            shares, which do not work together.

            EXAMPLE
              fueki wallet refresh savings
            """)

    @OptionGroup var wallet: WalletArgument

    @OptionGroup var options: RenewalOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        try await options.run(.refresh, of: wallet.name, in: global, output, isAsked: false)
    }
}
