internal import ArgumentParser
internal import Custody
internal import Wallet

/// Which chain a command is about. The network of Bitcoin is the wallet's.
struct ChainOption: ParsableArguments {
    /// A chain as a person names it.
    enum Name: Equatable {
        case bitcoin
        case ethereum(ChainID)
    }

    @Option(
        help: ArgumentHelp(
            "The chain: bitcoin, ethereum, base, polygon, sepolia and others, or 'ethereum:NUMBER' for any of Ethereum's "
                + "kind.",
            valueName: "chain"),
        completion: .list(Name.all))
    var chain = Name.bitcoin

    @Flag(
        help: ArgumentHelp(
            "Use a wallet of a test network on a chain with real coins, or a wallet for real coins on a test network."))
    var otherNetwork = false

    /// Refuses a chain whose coins are worth something for a wallet that was made for test coins, and the other way round, unless
    /// the person has said that it is meant.
    func check(_ chain: ChainID, for wallet: WalletRecord) throws(Failure) {
        guard !otherNetwork else { return }
        let network = wallet.network.name
        let message: String
        switch ChainFit(of: chain, to: wallet.network) {
        case .fits: return
        case .realCoinsForTestWallet:
            message =
                "the wallet '\(wallet.name)' is for test coins (\(network)), and those of \(chain) are worth something"
        case .unknownCoinsForTestWallet:
            message =
                "the wallet '\(wallet.name)' is for test coins (\(network)), and those of \(chain), which fueki does not "
                + "know, may be worth something"
        case .testCoinsForRealWallet:
            message = "the wallet '\(wallet.name)' is for real coins (\(network)), and \(chain) is for tests"
        }
        throw Failure(
            code: .refused, name: "other_network", message: message,
            hint: "name another wallet or another --chain; if it is meant, add --other-network")
    }
}

extension ChainOption.Name {
    /// All that have a name.
    static let all = ["bitcoin"] + ChainID.keywords
}

extension ChainOption.Name: ExpressibleByArgument {
    init?(argument: String) {
        if argument == "bitcoin" {
            self = .bitcoin
        } else if let id = ChainID(keyword: argument) {
            self = .ethereum(id)
        } else {
            guard case .ethereum(let id) = Chain(text: argument) else { return nil }
            self = .ethereum(id)
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .bitcoin: "bitcoin"
        case .ethereum(let id): id.keyword ?? Chain.ethereum(id).description
        }
    }
}
