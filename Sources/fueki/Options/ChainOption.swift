internal import ArgumentParser
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
            "The chain: bitcoin, ethereum, sepolia, or 'ethereum:NUMBER' for another one of Ethereum's kind.",
            valueName: "chain"),
        completion: .list(["bitcoin", "ethereum", "sepolia"]))
    var chain = Name.bitcoin
}

extension ChainOption.Name: ExpressibleByArgument {
    init?(argument: String) {
        switch argument {
        case "bitcoin": self = .bitcoin
        case "ethereum": self = .ethereum(.ethereum)
        case "sepolia": self = .ethereum(.sepolia)
        default:
            guard case .ethereum(let id) = Chain(text: argument) else { return nil }
            self = .ethereum(id)
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .bitcoin: "bitcoin"
        case .ethereum(.ethereum): "ethereum"
        case .ethereum(.sepolia): "sepolia"
        case .ethereum(let id): Chain.ethereum(id).description
        }
    }
}
