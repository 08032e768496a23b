import Amounts
import Custody
import Ethereum
import Testing
import Texts
import Wallet
internal import WalletBooks

@testable import ErrorTexts
@testable import Presentation

@Suite("Tokens in their unit, before signing")
struct TokenReviewTests {
    private static let usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
    private static let other = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    private let alice: Contact
    private let payee: EthereumAddress

    init() throws {
        payee = try EthereumAddress("0x3535353535353535353535353535353535353535")
        alice = try Contact(name: "alice", party: .ethereum(payee))
    }

    private func transaction(_ contract: String, _ data: [UInt8]) throws -> EthereumTransaction {
        try EthereumTransaction(
            chainID: .ethereum, nonce: 3, gasLimit: 60_000, to: EthereumAddress(contract), value: .zero, data: data,
            kind: .dynamicFee(.init(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(1_000_000_000)), []))
    }

    private func review(
        _ contract: String, _ amount: UInt256, _ units: TokenUnits = .listed, columns: Int = 80
    ) throws -> Review {
        let transaction = try transaction(contract, ContractCall.transferData(to: payee, amount: amount))
        let intent = Intent(transaction, from: try EthereumAddress("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"))
        return Review(
            intent, spend: nil, terms: AllowanceTerms(.ethereumTransaction(transaction, account: 0)),
            names: PartyNames([alice]), units: units, columns: columns)
    }

    private func unit(_ contract: String, _ symbol: String?, _ decimals: Int, _ source: TokenUnit.Source) throws
        -> TokenUnits
    {
        TokenUnits([
            TokenUnit(
                of: try EthereumAddress(contract), symbol: try symbol.map { try TokenSymbol($0) },
                decimals: try Decimals(decimals), source: source)
        ])
    }

    private func rows(_ review: Review) -> String { LabelledRows(review.rows).text(columns: 80).text(isStyled: false) }

    @Test("a listed token stands in its unit, with what is signed and the contract below")
    func listed() throws {
        let review = try review(Self.usdc, 25_500_000)
        #expect(review.headline == "Pay 25.5 USDC to alice, fee at most 0.00006 ETH")
        #expect(rows(review).contains("25.5 USDC (25500000 of the smallest unit)"))
        #expect(rows(review).contains("token  0xA0b8 6991 c621 8b36 c1d1 9D4a 2e9E b0cE"))
    }

    @Test("a contract's own symbol is quoted; with the user's decimals it is an amount")
    func user() throws {
        let review = try review(Self.other, 25_500_000, unit(Self.other, "FOO", 6, .user))
        #expect(review.headline == "Pay 25.5 \"FOO\" to alice, fee at most 0.00006 ETH")
        #expect(rows(review).contains("25.5 \"FOO\" (25500000 of the smallest unit)"))
    }

    @Test("with a node's decimals, what is signed comes first")
    func node() throws {
        let review = try review(Self.other, 25_500_000, unit(Self.other, "FOO", 6, .node))
        #expect(rows(review).contains("25500000 of the smallest unit, which is 25.5 \"FOO\""), "\(rows(review))")
    }

    @Test("a node cannot give a listed token another unit")
    func liar() throws {
        let review = try review(Self.usdc, 25_500_000, unit(Self.usdc, "CHEAP", 18, .node))
        #expect(review.headline.hasPrefix("Pay 25.5 USDC to alice"))
    }

    @Test("an unknown token is shown in its smallest unit, with its contract")
    func unknown() throws {
        let review = try review(Self.other, 25_500_000)
        #expect(review.headline.hasPrefix("Pay 25500000 of 0x5aAeb605…"), "\(review.headline)")
        let nameless = try self.review(Self.other, 25_500_000, unit(Self.other, nil, 6, .user))
        #expect(nameless.headline.hasPrefix("Pay 25.5 tokens of 0x5aAeb605…"), "\(nameless.headline)")
    }

    @Test("no row is longer than the terminal has columns", arguments: [40, 80, 120])
    func columns(_ columns: Int) throws {
        let review = try review(Self.usdc, .maximum, columns: columns)
        for line in LabelledRows(review.rows).text(columns: columns).text(isStyled: false).split(separator: "\n") {
            #expect(line.count < columns, "\(line)")
        }
    }
}
