internal import ArgumentParser
internal import Custody
internal import ExchangeCredentials
internal import Presentation
internal import Terminal
internal import Texts
internal import Wallet

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Set what every command needs: nodes, the unit, a wallet's chain.",
        discussion: """
            Settings are in config.json in the folder of wallets, for you alone. An option comes before a variable of the \
            environment, and that before a setting.

              node.bitcoin        Bitcoin's node; else Bitcoin Core on this machine
              node.ethereum       so for each chain: node.base, node.sepolia
              node-pin.CHAIN      pins of the node's keys, separated by spaces
              node-pins.CHAIN     in place of them, the path of a pin policy
              node-proxy.CHAIN    a SOCKS5 proxy to the node, for example Tor's
              allow-http.CHAIN    hosts on other machines that need no encryption
              exchange-pin.NAME   pins of the keys of binance or kraken
              exchange-proxy.NAME a SOCKS5 proxy to the exchange
              order-limit.NAME.MARKET  the largest amount of an order with --yes
              cookie-file         Bitcoin Core's cookie, if not in the usual folder
              unit                btc or sat, for amounts of Bitcoin in text
              chain               of 'balance', 'send', 'speed-up' and 'cancel'

            For one wallet: wallet.NAME and the same, as in wallet.savings.chain. That comes before the one for all.

            EXAMPLES
              fueki config set node.bitcoin http://127.0.0.1:8332
              fueki config set node.sepolia https://node.example
              fueki config set node-proxy.sepolia socks5://127.0.0.1:9050
              fueki config set wallet.savings.unit sat
              fueki config set wallet.trading.chain base
              fueki config set order-limit.kraken.XBTUSD 0.05
              fueki config
            """,
        subcommands: [ConfigList.self, ConfigSet.self, ConfigUnset.self], defaultSubcommand: ConfigList.self)
}

struct ConfigList: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the settings. Passwords and paths of nodes are not shown.",
        discussion: """
            EXAMPLE
              fueki config list
            """)

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        let views = try Settings.checked(in: global.walletHome).entries.map { SettingView($0.name, $0.value) }
        try output.result(views) {
            views.isEmpty ? "nothing is set" : Table(views.map { [$0.key, $0.value] }).text
        }
    }
}

struct ConfigSet: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set one setting.",
        discussion: """
            Every program on this machine can read the arguments of a command: an address with a password is given as '-', \
            and read from standard input.

            EXAMPLES
              fueki config set node.base https://node.example
              fueki config set cookie-file /srv/bitcoin/.cookie
            """)

    @OptionGroup var key: SettingArgument

    @Argument(help: "What it is set to; '-' reads one line from standard input.")
    var value: String

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) throws(Failure) {
        var settings = try Settings.checked(in: global.walletHome)
        var key = try Settings.Name.read(key.key)
        // A setting for a wallet that does not exist is a typing error. The file has the wallet's own name.
        if let wallet = key.wallet {
            key = Settings.Name(key.key, of: try global.wallet(named: wallet.description).name)
        }
        let given = value == "-" ? try Self.line() : value
        try Settings.check(key, given)
        try attempt { () throws(SettingsFault) in
            try settings.set(key, given)
            try settings.write(in: global.walletHome)
        }
        let view = SettingView(key, given)
        try output.receipt(view) { "\(view.key) is \(view.value)" }
    }

    private static func line() throws(Failure) -> String {
        let text = String(decoding: try InputFile.read("-"), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

struct ConfigUnset: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Remove one setting.",
        discussion: """
            EXAMPLE
              fueki config unset node.base
            """)

    @OptionGroup var key: SettingArgument
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let key: String
        /// Whether the setting had a value.
        let was_set: Bool
    }

    func perform(_ output: Output) throws(Failure) {
        var settings = try Settings.checked(in: global.walletHome)
        var key = try Settings.Name.read(key.key)
        // The wallet may be gone.
        if let wallet = key.wallet, let own = try? global.walletName(wallet.description) {
            key = Settings.Name(key.key, of: own)
        }
        let wasSet = settings[key] != nil
        if wasSet {
            settings.remove(key)
            try attempt { () throws(SettingsFault) in try settings.write(in: global.walletHome) }
        }
        try output.receipt(Result(key: key.text, was_set: wasSet)) {
            wasSet ? "\(key.text) is no longer set" : "\(key.text) was not set"
        }
    }
}

/// The name of a setting. Shells complete it.
struct SettingArgument: ParsableArguments {
    @Argument(
        help:
            "What is set: node.CHAIN, node-pin.CHAIN and so on, as 'fueki config --help' lists; for one wallet wallet.NAME.unit, and so on.",
        completion: .custom { words, _, _ in SettingArgument.names(in: GlobalOptions.home(in: words)) })
    var key: String

    private static func names(in home: WalletHome) -> [String] {
        let keys =
            ChainName.all.compactMap { ChainName($0) }.flatMap(Settings.Key.keys).map(\.text)
            + Settings.Key.plain.map(\.text)
        let names = Venue.allCases.map(\.rawValue)
        return keys + names.flatMap { ["exchange-pin.\($0)", "exchange-proxy.\($0)", "order-limit.\($0)."] }
            + home.allNames().flatMap { wallet in keys.map { "wallet.\(wallet).\($0)" } }
    }
}
