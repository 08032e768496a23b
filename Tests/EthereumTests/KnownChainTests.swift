internal import Amounts
internal import Ethereum
import Testing

@Suite("Known Ethereum-like chains")
struct KnownChainTests {
    @Test("each chain has a name, its own keyword and a coin; an unknown chain has none")
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

    @Test("an amount names the chain's own coin: ether's name on another chain is refused, and so is a bare number")
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

    @Test("by default a fee is limited to some tens of euros, and to much less on chains with low fees")
    func fees() throws {
        func fee(_ keyword: String) throws -> Wei { try #require(ChainID(keyword: keyword)).usualFee }
        #expect(try fee("ethereum") == Wei("0.02eth") && fee("base") == Wei("0.002eth"))
        #expect(try fee("arbitrum") == Wei("0.002eth") && fee("polygon") == Wei("5eth") && fee("bnb") == Wei("0.01eth"))
        #expect(try fee("sepolia") == Wei("0.02eth") && ChainID(12_345).usualFee == Wei("0.02eth"))
        // The full cost of a false priority fee for a payment is much lower.
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

    @Test("a block is final after two epochs of Ethereum: fewer blocks where they are slow")
    func depth() throws {
        #expect(ChainID.ethereum.finalDepth == 64)
        #expect(try ChainID(31_337).finalDepth == 64 && ChainID(8_453).finalDepth == 384)
        #expect(try ChainID(42_161).finalDepth == 3_072 && ChainID(12_345).finalDepth == 768)
    }
}
