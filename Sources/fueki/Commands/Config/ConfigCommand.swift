internal import ArgumentParser
internal import Custody
internal import Nodes
internal import Terminal

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Set once what every command needs: nodes, and Bitcoin Core's cookie.",
        discussion: """
            Settings are in config.json in the folder of wallets, for you alone. An option comes before a variable of the \
            environment, and that before a setting.

              node.bitcoin    Bitcoin's node; else Bitcoin Core on this machine
              node.ethereum   so for each chain: node.base, node.sepolia
              cookie-file     Bitcoin Core's cookie, if not in the usual folder

            EXAMPLES
              fueki config set node.bitcoin http://127.0.0.1:8332
              fueki config set node.sepolia https://node.example
              fueki config
            """,
        subcommands: [ConfigList.self, ConfigSet.self, ConfigUnset.self], defaultSubcommand: ConfigList.self)
}

/// A setting as it is shown: of a node's address without user, password and path, which may be a key.
private struct SettingView: Encodable {
    let key: String
    let value: String

    init(_ key: Settings.Key, _ value: String) {
        self.key = key.text
        self.value =
            if case .node = key { (try? NodeAddress(value))?.description ?? "" } else { value }
    }
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
        let views = try Settings.read(in: global.walletHome).values.map { SettingView($0.key, $0.value) }
        try output.result(views) {
            views.isEmpty ? "nothing is set" : Table(views.map { [$0.key, $0.value] }).text
        }
    }
}

struct ConfigSet: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set one value.",
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
        var settings = try Settings.read(in: global.walletHome)
        let key = try key.read()
        let given = value == "-" ? try Self.line() : value
        try settings.set(key, given)
        try settings.write(in: global.walletHome)
        let view = SettingView(key, given)
        try output.result(view) { "\(view.key) is \(view.value)" }
    }

    private static func line() throws(Failure) -> String {
        let text = String(decoding: try InputFile.read("-"), as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

struct ConfigUnset: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Forget one value.",
        discussion: """
            EXAMPLE
              fueki config unset node.base
            """)

    @OptionGroup var key: SettingArgument
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let key: String
        /// Whether there was a value.
        let was_set: Bool
    }

    func perform(_ output: Output) throws(Failure) {
        var settings = try Settings.read(in: global.walletHome)
        let key = try key.read()
        let wasSet = settings[key] != nil
        if wasSet {
            settings.remove(key)
            try settings.write(in: global.walletHome)
        }
        try output.result(Result(key: key.text, was_set: wasSet)) {
            wasSet ? "\(key.text) is not set any more" : "\(key.text) was not set"
        }
    }
}

/// The name of a setting. Shells complete it.
struct SettingArgument: ParsableArguments {
    @Argument(
        help: "What is set: node.CHAIN or cookie-file.",
        completion: .list(ChainOption.Name.all.map { "node.\($0)" } + ["cookie-file"]))
    var key: String

    func read() throws(Failure) -> Settings.Key {
        guard let key = Settings.Key(key) else {
            throw .usage(
                "there is no setting '\(key)'", hint: "there are node.CHAIN, as in node.bitcoin, and cookie-file")
        }
        return key
    }
}
