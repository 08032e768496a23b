internal import Exchange
internal import Terminal
internal import Texts

extension ExchangeConnectionOptions {
    /// Begins a stream with the rules of this connection. Its servers have other names than that of the requests, and
    /// have to match the pins, too.
    func stream(
        of client: ExchangeClient, _ symbols: [TradingSymbol], orders: Bool
    ) throws(Failure) -> ExchangeStream {
        let connection = try rules(of: client.venue)
        return try attempt { () throws(ExchangeError) in
            try ExchangeStream(of: client, symbols, orders: orders) { origin throws(ExchangeError) in
                try connection.client(to: origin, userAgent: "fueki/\(Version.text)", now: { .now })
            }
        }
    }
}
