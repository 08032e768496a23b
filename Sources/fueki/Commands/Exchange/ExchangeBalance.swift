internal import ArgumentParser
internal import Exchange
internal import ExchangeViews
internal import Terminal
internal import Texts

struct ExchangeBalance: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "balance", abstract: "Show the balances of a key's account, as the exchange tells them.",
        discussion: """
            The names of assets are the exchange's own: Kraken's XXBT is bitcoin. Amounts of zero are left out.

            EXAMPLE
              fueki exchange balance main
            """)

    @OptionGroup var request: KeyRequestOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let view = try await request.run(in: global.exchangeHome) { client async throws(ExchangeError) in
            ExchangeBalanceView(try await client.balances(), of: client.label, at: client.venue)
        }
        try output.result(view)
    }
}
