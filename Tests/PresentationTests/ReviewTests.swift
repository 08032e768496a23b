import Amounts
import Custody
import Encoding
import Ethereum
import Testing
import Texts
import Wallet
internal import WalletBooks

@testable import ErrorTexts
@testable import Presentation

@Suite("What a person reads before signing")
struct ReviewTests {
    /// The example of EIP-155: 1 ether to 0x3535…, at 20 gwei for a unit of gas.
    private static func review(_ names: PartyNames, columns: Int) throws -> Review {
        let transaction = try EthereumTransaction(
            decoding: Hex.decode(
                "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080"))
        let intent = Intent(transaction, from: try EthereumAddress("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"))
        return Review(
            intent, spend: nil, terms: AllowanceTerms(.ethereumTransaction(transaction, account: 0)), names: names,
            columns: columns)
    }

    @Test("the first line says who gets how much and what it costs")
    func headline() throws {
        #expect(
            try Self.review(.none, columns: 80).headline == "Pay 1 ETH to 0x35353535…353535, fee at most 0.00042 ETH")
    }

    @Test("a contact's name stands in the first line, and behind the address in the rows")
    func contact() throws {
        let anna = try Contact(
            name: "anna", party: .ethereum(EthereumAddress("0x3535353535353535353535353535353535353535")))
        let review = try Self.review(PartyNames([anna]), columns: 80)
        #expect(review.headline.hasPrefix("Pay 1 ETH to anna,"))
        let text = LabelledRows(review.rows).text(columns: 80).text(isStyled: false)
        #expect(text.contains("to   0x3535 3535 3535 3535 3535 3535 3535 3535\n"), "\(text)")
        #expect(text.contains("(anna)"))
    }

    @Test("no row is longer than the terminal has columns", arguments: [40, 56, 80, 120])
    func columns(_ columns: Int) throws {
        let rows = LabelledRows(try Self.review(.none, columns: columns).rows).text(columns: columns)
        for line in rows.text(isStyled: false).split(separator: "\n") { #expect(line.count < columns, "\(line)") }
    }

    @Test("an address in groups of four loses no character", arguments: [4, 8])
    func groups(inLine most: Int) {
        let address = "0x52908400098527886E0F7030069857D2E4169EE7"
        let lines = Review.groups(address, inLine: most)
        #expect(lines.joined().replacing(" ", with: "") == address)
        #expect(lines.allSatisfy { $0.split(separator: " ").count <= most })
    }
}
