internal import ArgumentParser

struct ExchangeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exchange", abstract: "Keep API keys of Binance and Kraken, check their rights, and test orders.",
        discussion: """
            The keys are sealed with a passphrase of their own, apart from every wallet. Create them without the right to \
            withdraw, and with a list of IP addresses: 'check' warns loudly otherwise. No command here places an order.

            EXAMPLE: store a key, check it, and test an order
              fueki exchange add main --exchange kraken
              fueki exchange check main
              fueki exchange order main buy 0.01 XBTUSD --price 30000 --test
            """,
        subcommands: [
            ExchangeAdd.self, ExchangeList.self, ExchangeCheck.self, ExchangeBalance.self, ExchangeOrder.self,
            ExchangeRotate.self, ExchangeRemove.self, ExchangeRevokeLocal.self, ExchangeEmergency.self,
        ])
}
