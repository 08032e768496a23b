public import ArgumentParser
internal import Custody
internal import HDKeys
internal import Presentation
internal import Terminal
public import Wallet

/// The chain option of a command. The wallet determines the Bitcoin network.
struct ChainOption: ParsableArguments {
    @Option(
        help: .value("chain", "bitcoin, ethereum, base, polygon, sepolia and others, or ethereum:NUMBER."),
        completion: .list(ChainName.all))
    var chain = ChainName.bitcoin
}

/// The chain option of a command for one wallet. The wallet's settings supply the default.
struct WalletChainOption: ParsableArguments {
    @Option(
        help: .value(
            "chain",
            "bitcoin, ethereum, base, polygon, sepolia and others, or ethereum:NUMBER (default: 'fueki config', or "
                + "bitcoin)."), completion: .list(ChainName.all))
    var chain: ChainName?

    /// Returns the chain of the option, of the settings, or Bitcoin. Unreadable settings are reported when the node is
    /// chosen.
    func of(_ wallet: WalletArgument) -> ChainName {
        if let chain { return chain }
        let home = GlobalOptions.home(in: CommandLine.arguments)
        let settings = try? Settings.checked(in: home)
        return settings?.chain(for: try? home.name(ofWalletCalled: WalletName(wallet.name))) ?? .bitcoin
    }
}

/// The help and the shell completions list the valid names.
extension ChainName: ExpressibleByArgument {
    /// Reads the name of a chain on the command line.
    public init?(argument: String) { self.init(argument) }

    /// The name of the chain, for the help text.
    public var defaultValueDescription: String { text }
}

/// A network name as an option's value: `--network regtest`. The help and the shell completions list the valid names.
extension Network: ExpressibleByArgument {}
