public import Amounts
public import Ethereum
public import HDKeys

/// The chain for which an intent is signed.
public enum Chain: Hashable, Sendable {
    /// Bitcoin, on this network.
    case bitcoin(Network)
    /// Ethereum or a similar chain.
    case ethereum(ChainID)

    /// Reads `bitcoin:mainnet` or `ethereum:1`.
    public init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "bitcoin":
            guard let network = Network(name: String(parts[1])) else { return nil }
            self = .bitcoin(network)
        case "ethereum":
            guard let number = try? UInt256(decimal: String(parts[1])), number.description == parts[1],
                let value = number.uint64, let id = try? ChainID(value)
            else { return nil }
            self = .ethereum(id)
        default: return nil
        }
    }

    /// The coin that fees are paid in.
    public var currency: Currency {
        switch self {
        case .bitcoin: .bitcoin
        case .ethereum: .ether
        }
    }

    /// The unit that follows an amount of the chain's coin: `BTC`, `ETH`, `POL`, or `coins` for an unknown chain.
    public var unit: String {
        switch self {
        case .bitcoin: currency.symbol
        case .ethereum(let id): id.coin
        }
    }

    /// The chain's name for a sentence: `bitcoin:mainnet`, `Base (ethereum:8453)`, `chain 12345`. For a test network it
    /// says so.
    public var name: String {
        guard case .ethereum(let id) = self else { return description }
        guard let name = id.name else { return id.description }
        return name + (id.isTest && !id.isLocal ? ", a test network (\(description))" : " (\(description))")
    }
}

extension Chain: CustomStringConvertible {
    /// `bitcoin:mainnet` or `ethereum:1`.
    public var description: String {
        switch self {
        case .bitcoin(let network): "bitcoin:\(network.name)"
        case .ethereum(let id): "ethereum:\(id.value)"
        }
    }
}

/// The coin in which a chain's fees are paid.
public enum Currency: Hashable, Sendable {
    /// Bitcoin, counted in satoshi.
    case bitcoin
    /// The coin of Ethereum or a similar chain, counted in wei.
    case ether

    /// The number of decimals of an amount in the usual unit.
    public var decimals: Decimals {
        switch self {
        case .bitcoin: .bitcoin
        case .ether: .ether
        }
    }

    /// The usual unit's name.
    public var symbol: String {
        switch self {
        case .bitcoin: "BTC"
        case .ether: "ETH"
        }
    }
}
