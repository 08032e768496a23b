public import Amounts

/// The unit in which people count the tokens of a contract, and its source.
///
/// The bytes of a transaction have an amount in the smallest unit. The contract states through a node how many smallest
/// units make one token: a node that lies about it makes the user pay another amount than intended.
public struct TokenUnit: Hashable, Sendable {
    /// The sources of the number of decimal places.
    public enum Source: Hashable, Sendable {
        /// The list that is compiled in (`listed`). It states the symbol, too.
        case list
        /// The user: on the command line, or in the policy. The symbol is the contract's own claim.
        case user
        /// The node alone. Show the amount in the smallest unit as well.
        case node
    }

    /// The token's contract.
    public let contract: EthereumAddress
    /// The symbol; nil if the contract has none that can be shown.
    public let symbol: TokenSymbol?
    /// The number of decimal places.
    public let decimals: Decimals
    /// The source of the number of decimal places.
    public let source: Source

    /// Creates a unit.
    public init(of contract: EthereumAddress, symbol: TokenSymbol?, decimals: Decimals, source: Source) {
        self.contract = contract
        self.symbol = symbol
        self.decimals = decimals
        self.source = source
    }
}

// MARK: - The list

extension TokenUnit {
    /// Returns the unit of a token that this library knows, as its issuer publishes it.
    public static func listed(_ contract: EthereumAddress, on chain: ChainID) -> TokenUnit? {
        listed[chain.value]?[contract]
    }

    /// Returns the known token with this symbol on a chain. Upper and lower case are the same.
    public static func listed(_ symbol: String, on chain: ChainID) -> TokenUnit? {
        listed[chain.value]?.values.first { $0.symbol?.description.lowercased() == symbol.lowercased() }
    }

    /// Returns whether a reader may mistake this symbol for that of a listed token of the chain, of the chain's coin,
    /// or of bitcoin. Another contract with such a symbol imitates it.
    public static func isTaken(_ symbol: TokenSymbol, on chain: ChainID) -> Bool {
        let tokens = listed[chain.value]?.values.compactMap(\.symbol?.description) ?? []
        return ([chain.coin, "ETH", "BTC"] + tokens).contains(where: symbol.resembles)
    }

    static let listed: [UInt64: [EthereumAddress: TokenUnit]] = {
        var units: [UInt64: [EthereumAddress: TokenUnit]] = [:]
        for (chain, symbol, decimals, address) in table {
            // A malformed entry is left out; a test counts the entries.
            guard let contract = try? EthereumAddress(address), let symbol = try? TokenSymbol(symbol),
                let decimals = try? Decimals(decimals)
            else { continue }
            units[chain, default: [:]][contract] = TokenUnit(
                of: contract, symbol: symbol, decimals: decimals, source: .list)
        }
        return units
    }()

    /// The known tokens: stable coins and wrapped coins that their issuers name, and whose contracts are not upgraded
    /// into others. The checksums of EIP-55 detect a mistyped address.
    static let table: [(chain: UInt64, symbol: String, decimals: Int, contract: String)] = [
        (1, "USDC", 6, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
        (1, "USDT", 6, "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
        (1, "DAI", 18, "0x6B175474E89094C44Da98b954EedeAC495271d0F"),
        (1, "WETH", 18, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"),
        (1, "WBTC", 8, "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599"),
        (10, "USDC", 6, "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"),
        (10, "WETH", 18, "0x4200000000000000000000000000000000000006"),
        (137, "USDC", 6, "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
        (8_453, "USDC", 6, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
        (8_453, "WETH", 18, "0x4200000000000000000000000000000000000006"),
        (42_161, "USDC", 6, "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
        (42_161, "WETH", 18, "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"),
        (43_114, "USDC", 6, "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"),
    ]
}
