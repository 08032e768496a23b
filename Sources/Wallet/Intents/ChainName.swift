public import Amounts
public import Ethereum
public import HDKeys

/// A chain as a user names it: `bitcoin`, `base`, or `ethereum:NUMBER` for any chain of Ethereum's kind.
///
/// The network of Bitcoin is the wallet's; ``Chain`` has it.
public enum ChainName: Equatable, Sendable {
    /// Bitcoin, on the wallet's network.
    case bitcoin
    /// A chain of Ethereum's kind.
    case ethereum(ChainID)

    /// Reads a name.
    ///
    /// - Returns: nil for a text that names no chain.
    public init?(_ text: String) {
        if text == "bitcoin" {
            self = .bitcoin
        } else if let id = ChainID(keyword: text) {
            self = .ethereum(id)
        } else {
            guard case .ethereum(let id) = Chain(text: text) else { return nil }
            self = .ethereum(id)
        }
    }

    /// The name, as ``init(_:)`` reads it.
    public var text: String {
        switch self {
        case .bitcoin: "bitcoin"
        case .ethereum(let id): id.keyword ?? Chain.ethereum(id).description
        }
    }

    /// The name in a sentence: `bitcoin`, `Base`.
    public var title: String {
        switch self {
        case .bitcoin: "bitcoin"
        case .ethereum(let id): Chain.ethereum(id).name
        }
    }

    /// All names without a number.
    public static let all = ["bitcoin"] + ChainID.keywords

    /// Returns the name of a chain.
    ///
    /// - Parameter network: the wallet's network.
    /// - Returns: nil for another network of Bitcoin.
    public init?(_ chain: Chain, of network: Network) {
        switch chain {
        case .bitcoin(network): self = .bitcoin
        case .bitcoin: return nil
        case .ethereum(let id): self = .ethereum(id)
        }
    }

    /// Returns the chain, for a wallet on this network of Bitcoin.
    public func chain(on network: Network) -> Chain {
        switch self {
        case .bitcoin: .bitcoin(network)
        case .ethereum(let id): .ethereum(id)
        }
    }

    /// Reads an amount of the chain's coin with its unit: `0.01btc`, `0.1eth`.
    ///
    /// - Returns: the amount in the smallest unit.
    /// - Throws: `AmountError`.
    public func amount(_ text: String) throws(AmountError) -> UInt256 {
        switch self {
        case .bitcoin: try MoneyUnit.satoshis(text)
        case .ethereum(let id): try id.amount(text).value
        }
    }

    /// The highest fee of a payment, in the smallest unit, if the user names none.
    public var usualFee: UInt256 {
        switch self {
        case .bitcoin: WalletLimits.usualBitcoinFee
        case .ethereum(let id): id.usualFee.value
        }
    }
}
