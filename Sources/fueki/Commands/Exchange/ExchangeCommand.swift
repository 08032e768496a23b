internal import ArgumentParser

struct ExchangeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exchange", abstract: "Keep API keys of Binance and Kraken, check their rights, and trade.",
        discussion: """
            The keys are sealed with a passphrase of their own, apart from every wallet. Create them without the right to \
            withdraw, and with a list of IP addresses: 'check' warns loudly otherwise.

            EXAMPLE: store a key, check it, and place an order
              fueki exchange add main --exchange kraken
              fueki exchange check main
              fueki exchange order main buy 0.01 XBTUSD --price 30000
              fueki exchange orders main
            """,
        subcommands: [
            ExchangeAdd.self, ExchangeList.self, ExchangeCheck.self, ExchangeBalance.self, ExchangeOrder.self,
            ExchangeOrders.self, ExchangeCancel.self, ExchangeWatch.self,
            ExchangeRotate.self, ExchangeRemove.self, ExchangeRevokeLocal.self, ExchangeEmergency.self,
        ])
}
