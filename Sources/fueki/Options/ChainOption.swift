internal import ArgumentParser
internal import Ethereum
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
}

extension ChainOption.Name {
    /// All that have a name.
    static let all = ["bitcoin"] + ChainID.keywords

    /// In a sentence.
    var title: String {
        switch self {
        case .bitcoin: "bitcoin"
        case .ethereum(let id): Chain.ethereum(id).name
        }
    }
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
