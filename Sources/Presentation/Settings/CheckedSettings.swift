package import Custody
internal import ErrorTexts
internal import Exchange
internal import ExchangeCredentials
internal import Nodes
internal import PinnedHTTP
package import Texts

extension Settings {
    /// Reads the settings of a folder, and checks that everything about nodes and exchanges in them is valid.
    package static func checked(in home: WalletHome) throws(Failure) -> Settings {
        let settings = try attempt { () throws(SettingsFault) in try read(in: home) }
        for entry in settings.entries { try check(entry.name, entry.value) }
        return settings
    }

    /// Checks a setting's value.
    ///
    /// - Throws: a usage failure if the value is invalid for this key.
    package static func check(_ name: Name, _ value: String) throws(Failure) {
        try checkExchange(name.key, value)
        switch name.key {
        case .node: _ = try attempt { () throws(NodeError) in try NodeAddress(value) }
        case .nodePin: try attempt { () throws(NodeError) in try checkPins(value) }
        case .nodeProxy, .exchangeProxy: _ = try SOCKSProxy.named(value)
        case .allowHTTP: _ = try attempt { () throws(NodeError) in try NodeConnection.hosts(in: value) }
        case .nodePins, .exchangePin, .orderLimit, .cookieFile, .unit, .chain: break
        }
    }

    /// Checks a setting about an exchange.
    private static func checkExchange(_ key: Key, _ value: String) throws(Failure) {
        switch key {
        case .exchangePin(let name):
            let venue = try venue(name)
            try attempt { () throws(ExchangeError) in
                try ExchangeConnection.check(ExchangeConnection.pins(in: value), of: venue)
            }
        case .exchangeProxy(let name): _ = try venue(name)
        case .orderLimit(let name, let market):
            let venue = try venue(name)
            try attempt { () throws(ExchangeError) in
                _ = try TradingSymbol(market, on: venue)
                _ = try Quantity(value, for: .amount)
            }
        case .node, .nodePin, .nodePins, .nodeProxy, .allowHTTP, .cookieFile, .unit, .chain: break
        }
    }

    private static func venue(_ name: ExchangeName) throws(Failure) -> Venue {
        guard let venue = Venue(rawValue: name.text) else {
            throw .usage("the exchange '\(name.text)' is unknown", hint: "known exchanges: binance, kraken")
        }
        return venue
    }

    /// Checks the pins of a setting.
    private static func checkPins(_ text: String) throws(NodeError) {
        let pins = try NodeConnection.pins(in: text)
        _ = try NodeConnection.pins(pins, of: NodeAddress("https://localhost"))
    }
}

extension Settings.Name {
    /// Reads the name of a setting on the command line.
    ///
    /// - Throws: the failure of an unknown setting.
    package static func read(_ text: String) throws(Failure) -> Settings.Name {
        if let name = Settings.Name(text) { return name }
        throw .usage(
            "the setting '\(text)' is unknown",
            hint:
                "known settings: node.CHAIN, as in node.bitcoin, node-pin.CHAIN, node-pins.CHAIN, node-proxy.CHAIN, "
                + "allow-http.CHAIN, exchange-pin.NAME, exchange-proxy.NAME, order-limit.NAME.MARKET, "
                + "cookie-file, unit and chain; for one wallet wallet.savings.chain and so on")
    }
}
