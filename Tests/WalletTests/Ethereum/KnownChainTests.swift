internal import Amounts
internal import Ethereum
internal import HDKeys
import Testing
import Wallet

@Suite("Chains of Ethereum's kind that are known")
struct KnownChainTests {
    @Test("each has a name, a keyword of its own and a coin; what is not known has none")
    func names() throws {
        #expect(Set(ChainID.keywords).count == ChainID.keywords.count)
        var numbers: Set<UInt64> = []
        for keyword in ChainID.keywords {
            let chain = try #require(ChainID(keyword: keyword))
            #expect(chain.keyword == keyword && chain.name?.isEmpty == false && chain.coin != "coins")
            #expect(numbers.insert(chain.value).inserted, "\(keyword) has another one's number")
            #expect(chain.worth != .unknown && chain.isTest == (chain.worth == .test))
        }
        for (keyword, number, coin) in [
            ("ethereum", 1, "ETH"), ("optimism", 10, "ETH"), ("bnb", 56, "BNB"), ("gnosis", 100, "xDAI"),
            ("polygon", 137, "POL"), ("base", 8_453, "ETH"), ("arbitrum", 42_161, "ETH"), ("avalanche", 43_114, "AVAX"),
            ("sepolia", 11_155_111, "ETH"), ("local", 31_337, "ETH"),
        ] as [(String, UInt64, String)] {
            let chain = try #require(ChainID(keyword: keyword))
            #expect((chain.value, chain.coin) == (number, coin))
        }
        let unknown = try ChainID(12_345)
        #expect((unknown.name, unknown.keyword, unknown.coin, unknown.worth) == (nil, nil, "coins", .unknown))
        #expect(ChainID(keyword: "Base") == nil && ChainID(keyword: "") == nil)
    }

    @Test("a sentence names the chain, and that it is for tests; what programs read stays a number")
    func sentences() throws {
        func chain(_ number: UInt64) throws -> Chain { .ethereum(try ChainID(number)) }
        #expect(try chain(8_453).name == "Base (ethereum:8453)")
        #expect(try chain(11_155_111).name == "Sepolia, a test network (ethereum:11155111)")
        #expect(try chain(31_337).name == "local test chain (ethereum:31337)")
        #expect(try chain(12_345).name == "chain 12345" && Chain.bitcoin(.signet).name == "bitcoin:signet")
        #expect(try chain(8_453).description == "ethereum:8453" && chain(12_345).description == "ethereum:12345")
        #expect(try chain(137).unit == "POL" && chain(8_453).unit == "ETH" && chain(12_345).unit == "coins")
    }

    @Test("an amount names the chain's own coin: ether's name on another one's chain is refused, as is a number alone")
    func amounts() throws {
        let polygon = try ChainID(137)
        let half = try Wei("0.5eth")
        for text in ["0.5pol", "0.5POL", "0.5 pol", "500000000gwei", "500000000000000000wei"] {
            #expect(try polygon.amount(text) == half, "\(text)")
        }
        #expect(try ChainID(100).amount("0.5xDAI") == half && ChainID(100).amount("0.5xdai") == half)
        #expect(try ChainID(12_345).amount("0.5coins") == half && ChainID.ethereum.amount("0.5eth") == half)
        for (chain, text) in [
            (137, "0.5eth"), (137, "1btc"), (1, "0.5pol"), (12_345, "0.5eth"), (1, "0.5coins"), (1, "5sat"),
        ] as [(UInt64, String)] {
            #expect(throws: AmountError.otherUnit, "\(text)") { try ChainID(chain).amount(text) }
        }
        for text in ["0.5", "pol", "0.5usd", "-1pol", "1e3pol", "1  pol", "0.5Pol", "1.0000000000000000001pol"] {
            #expect(throws: AmountError.malformed, "\(text)") { try polygon.amount(text) }
        }
    }

    @Test("without a word of the person, a fee is at most some tens of euros' worth, and much less where fees are low")
    func fees() throws {
        func fee(_ keyword: String) throws -> Wei { try #require(ChainID(keyword: keyword)).usualFee }
        #expect(try fee("ethereum") == Wei("0.02eth") && fee("base") == Wei("0.002eth"))
        #expect(try fee("arbitrum") == Wei("0.002eth") && fee("polygon") == Wei("5eth") && fee("bnb") == Wei("0.01eth"))
        #expect(try fee("sepolia") == Wei("0.02eth") && ChainID(12_345).usualFee == Wei("0.02eth"))
        // What a lie about the price for block producers costs for a payment, in full, is much less.
        for keyword in ChainID.keywords {
            let chain = try #require(ChainID(keyword: keyword))
            #expect(try chain.highestTip.multiplied(by: 21_000) < chain.usualFee, "\(keyword)")
        }
        #expect(
            try ChainID.ethereum.highestTip == Wei("20gwei")
                && #require(ChainID(keyword: "base")).highestTip == Wei("5gwei"))
    }

    @Test("21,000 gas is the protocol's on Ethereum and its test networks only; chains of the OP stack have an oracle")
    func feeRules() throws {
        let exact = try ChainID.keywords.filter { try #require(ChainID(keyword: $0)).feeRule == .gas }
        #expect(exact.sorted() == ["ethereum", "holesky", "hoodi", "sepolia"])
        for keyword in ["optimism", "base", "base-sepolia", "unichain", "world", "zora"] {
            #expect(try #require(ChainID(keyword: keyword)).feeRule == .gasAndData(.optimism), "\(keyword)")
        }
        #expect(try ChainID(42_161).feeRule == .estimatedGas && ChainID(12_345).feeRule == .unknown)
        #expect(DataFeeOracle.optimism.address.description == "0x420000000000000000000000000000000000000F")
        #expect(DataFeeOracle.scroll.address.description == "0x5300000000000000000000000000000000000002")
    }

    @Test("as long as two epochs of Ethereum take, a block may go: fewer blocks where they are slow")
    func depth() throws {
        #expect(ChainID.ethereum.finalDepth == 64)
        #expect(try ChainID(31_337).finalDepth == 64 && ChainID(8_453).finalDepth == 384)
        #expect(try ChainID(42_161).finalDepth == 3_072 && ChainID(12_345).finalDepth == 768)
    }

    @Test("a wallet for test coins does not fit real or unknown ones, nor one for real coins a test network")
    func fit() throws {
        func fit(_ chain: UInt64, _ network: Network) throws -> ChainFit {
            ChainFit(of: try ChainID(chain), to: network)
        }
        for network in Network.allCases where network != .mainnet {
            #expect(try fit(1, network) == .realCoinsForTestWallet && fit(137, network) == .realCoinsForTestWallet)
            #expect(try fit(12_345, network) == .unknownCoinsForTestWallet)
            #expect(try fit(11_155_111, network) == .fits && fit(31_337, network) == .fits)
        }
        #expect(try fit(1, .mainnet) == .fits && fit(12_345, .mainnet) == .fits)
        #expect(
            try fit(11_155_111, .mainnet) == .testCoinsForRealWallet && fit(31_337, .mainnet) == .testCoinsForRealWallet
        )
    }
}
