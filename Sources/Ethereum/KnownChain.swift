/// The wallet's data about Ethereum and similar chains: a table, compiled in.
struct KnownChain: Sendable {
    enum Kind: Sendable {
        /// A chain whose coins have a value.
        case main
        /// A test network.
        case test
        /// A chain on a developer's machine.
        case local
    }

    /// The coin in which fees are paid. Its smallest unit is 10⁻¹⁸ of it on each of these chains.
    enum Coin: Sendable {
        case ether, pol, bnb, xdai, avax, celo, mnt, sonic

        var symbol: String {
            switch self {
            case .ether: "ETH"
            case .pol: "POL"
            case .bnb: "BNB"
            case .xdai: "xDAI"
            case .avax: "AVAX"
            case .celo: "CELO"
            case .mnt: "MNT"
            case .sonic: "S"
            }
        }
    }

    let id: UInt64
    let name: String
    let keyword: String
    let coin: Coin
    let feeRule: ChainID.FeeRule
    /// The number of blocks in a minute, rounded up.
    let blocksPerMinute: UInt64
    let kind: Kind

    static let ethereumBlocksPerMinute: UInt64 = 5
    static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

    /// The usual highest fee in gwei. A fee is some cents on all of these chains but Ethereum, where it has been euros
    /// on bad days.
    var usualFee: UInt64 {
        switch coin {
        case .ether: kind == .main && feeRule != .gas ? 2_000_000 : 20_000_000
        case .bnb: 10_000_000
        case .avax: 500_000_000
        case .xdai: 1_000_000_000
        case .pol, .celo, .mnt, .sonic: 5_000_000_000
        }
    }

    /// The highest tip in gwei, several times the tip on a busy day.
    var highestTip: UInt64 {
        guard kind == .main else { return 100 }
        switch coin {
        case .ether: return feeRule == .gas ? 20 : 5
        case .bnb: return 10
        case .xdai: return 50
        case .avax, .mnt: return 100
        case .celo, .sonic: return 500
        // Its block producers require at least 25.
        case .pol: return 1_000
        }
    }

    private init(
        _ id: UInt64, _ name: String, _ keyword: String, _ coin: Coin, _ feeRule: ChainID.FeeRule,
        _ blocksPerMinute: UInt64, _ kind: Kind = .main
    ) {
        self.id = id
        self.name = name
        self.keyword = keyword
        self.coin = coin
        self.feeRule = feeRule
        self.blocksPerMinute = blocksPerMinute
        self.kind = kind
    }

    // The numbers come from github.com/ethereum-lists/chains.
    static let all: [KnownChain] = [
        KnownChain(1, "Ethereum", "ethereum", .ether, .gas, ethereumBlocksPerMinute),
        KnownChain(42_161, "Arbitrum One", "arbitrum", .ether, .estimatedGas, 240),
        KnownChain(42_170, "Arbitrum Nova", "arbitrum-nova", .ether, .estimatedGas, 240),
        KnownChain(43_114, "Avalanche", "avalanche", .avax, .estimatedGas, 60),
        KnownChain(8_453, "Base", "base", .ether, .gasAndData(.optimism), 30),
        KnownChain(81_457, "Blast", "blast", .ether, .gasAndData(.optimism), 30),
        KnownChain(56, "BNB Smart Chain", "bnb", .bnb, .estimatedGas, 80),
        KnownChain(42_220, "Celo", "celo", .celo, .gasAndData(.optimism), 60),
        KnownChain(100, "Gnosis", "gnosis", .xdai, .estimatedGas, 12),
        KnownChain(57_073, "Ink", "ink", .ether, .gasAndData(.optimism), 60),
        KnownChain(59_144, "Linea", "linea", .ether, .estimatedGas, 60),
        KnownChain(5_000, "Mantle", "mantle", .mnt, .gasAndData(.optimism), 30),
        KnownChain(34_443, "Mode", "mode", .ether, .gasAndData(.optimism), 30),
        KnownChain(10, "OP Mainnet", "optimism", .ether, .gasAndData(.optimism), 30),
        KnownChain(204, "opBNB", "opbnb", .bnb, .gasAndData(.optimism), 240),
        KnownChain(137, "Polygon", "polygon", .pol, .estimatedGas, 30),
        KnownChain(534_352, "Scroll", "scroll", .ether, .gasAndData(.scroll), 60),
        KnownChain(1_868, "Soneium", "soneium", .ether, .gasAndData(.optimism), 30),
        KnownChain(146, "Sonic", "sonic", .sonic, .estimatedGas, 240),
        KnownChain(130, "Unichain", "unichain", .ether, .gasAndData(.optimism), 60),
        KnownChain(480, "World Chain", "world", .ether, .gasAndData(.optimism), 30),
        KnownChain(324, "ZKsync Era", "zksync", .ether, .estimatedGas, 60),
        KnownChain(7_777_777, "Zora", "zora", .ether, .gasAndData(.optimism), 30),

        KnownChain(11_155_111, "Sepolia", "sepolia", .ether, .gas, ethereumBlocksPerMinute, .test),
        KnownChain(17_000, "Holesky", "holesky", .ether, .gas, ethereumBlocksPerMinute, .test),
        KnownChain(560_048, "Hoodi", "hoodi", .ether, .gas, ethereumBlocksPerMinute, .test),
        KnownChain(421_614, "Arbitrum Sepolia", "arbitrum-sepolia", .ether, .estimatedGas, 240, .test),
        KnownChain(84_532, "Base Sepolia", "base-sepolia", .ether, .gasAndData(.optimism), 30, .test),
        KnownChain(97, "BNB Smart Chain Testnet", "bnb-testnet", .bnb, .estimatedGas, 80, .test),
        KnownChain(10_200, "Chiado", "chiado", .xdai, .estimatedGas, 12, .test),
        KnownChain(43_113, "Avalanche Fuji", "fuji", .avax, .estimatedGas, 60, .test),
        KnownChain(59_141, "Linea Sepolia", "linea-sepolia", .ether, .estimatedGas, 60, .test),
        KnownChain(11_155_420, "OP Sepolia", "optimism-sepolia", .ether, .gasAndData(.optimism), 30, .test),
        KnownChain(80_002, "Polygon Amoy", "amoy", .pol, .estimatedGas, 30, .test),
        KnownChain(534_351, "Scroll Sepolia", "scroll-sepolia", .ether, .gasAndData(.scroll), 60, .test),
        KnownChain(1_301, "Unichain Sepolia", "unichain-sepolia", .ether, .gasAndData(.optimism), 60, .test),
        KnownChain(300, "ZKsync Sepolia", "zksync-sepolia", .ether, .estimatedGas, 60, .test),

        KnownChain(31_337, "local test chain", "local", .ether, .unknown, ethereumBlocksPerMinute, .local),
        KnownChain(1_337, "local test chain 1337", "local-1337", .ether, .unknown, ethereumBlocksPerMinute, .local),
    ]
}
