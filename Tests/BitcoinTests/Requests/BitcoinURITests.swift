import Amounts
import Bitcoin
import Testing

@Suite("Bitcoin payment requests (BIP-21)")
struct BitcoinURITests {
    /// The genesis block's address: the one in BIP-21's examples has a wrong checksum.
    private static let address = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"

    @Test("the examples of BIP-21 are read")
    func examples() throws {
        let plain = try BitcoinURI("bitcoin:\(Self.address)")
        #expect((plain.addressText, plain.amount, plain.label, plain.message) == (Self.address, nil, nil, nil))
        #expect(try BitcoinURI("bitcoin:\(Self.address)?label=Luke-Jr").label == "Luke-Jr")
        let asked = try BitcoinURI("bitcoin:\(Self.address)?amount=20.3&label=Luke-Jr")
        #expect(asked.amount?.satoshis == 2_030_000_000)
        let donation = try BitcoinURI(
            "bitcoin:\(Self.address)?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz")
        #expect(donation.amount?.satoshis == 5_000_000_000 && donation.message == "Donation for project xyz")
        // An unknown required parameter makes the request unpayable; an unknown optional one is ignored.
        #expect(throws: BitcoinError.badURI(.unknownRequirement(name: "req-somethingyoudontunderstand"))) {
            try BitcoinURI("bitcoin:\(Self.address)?req-somethingyoudontunderstand=50&req-somethingelseyoudontget=999")
        }
        let other = try BitcoinURI(
            "bitcoin:\(Self.address)?somethingyoudontunderstand=50&somethingelseyoudontget=999")
        #expect(other.address == plain.address)
    }

    @Test(
        "digits may be left out on one side of the point, as the grammar of BIP-21 says",
        arguments: [(".5", 50_000_000), ("5.", 500_000_000), (".00000001", 1), ("0.", nil), (".", nil), ("5..", nil)]
            as [(String, UInt64?)])
    func points(text: String, satoshis: UInt64?) throws {
        let amount = try? BitcoinURI("bitcoin:\(Self.address)?amount=\(text)").amount
        #expect(amount?.satoshis == satoshis)
    }

    @Test("capital letters, as in QR codes, are accepted")
    func capitals() throws {
        let uri = try BitcoinURI("BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?AMOUNT=0.01")
        #expect(try uri.address == Address("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"))
        #expect(uri.amount?.satoshis == 1_000_000)
    }

    @Test(
        "an ambiguous encoding is refused",
        arguments: [
            ("amount=1&amount=2", .repeated(name: "amount")), ("amount=1&Amount=2", .repeated(name: "amount")),
            ("amount=0", .badAmount), ("amount=-1", .badAmount), ("amount=1,5", .badAmount), ("amount=1e3", .badAmount),
            ("amount=0.000000001", .badAmount), ("amount=21000001", .badAmount), ("amount=", .badAmount),
            ("label=%", .malformed), ("label=%2", .malformed), ("label=%ff", .malformed), ("label=%zz", .malformed),
            ("label=a b", .malformed), ("label=ä", .malformed), ("label=a#b", .malformed),
            ("label=" + String(repeating: "a", count: 4_096), .malformed),
        ] as [(String, BitcoinURI.Fault)])
    func faults(parameters: String, fault: BitcoinURI.Fault) {
        #expect(throws: BitcoinError.badURI(fault)) { try BitcoinURI("bitcoin:\(Self.address)?\(parameters)") }
    }

    @Test("another scheme, and an invalid address, are refused")
    func others() {
        #expect(throws: BitcoinError.badURI(.malformed)) { try BitcoinURI("litecoin:\(Self.address)") }
        #expect(throws: BitcoinError.badURI(.malformed)) { try BitcoinURI(Self.address) }
        #expect(throws: BitcoinError.self) { try BitcoinURI("bitcoin:\(Self.address.dropLast())x") }
        #expect(throws: BitcoinError.self) { try BitcoinURI("bitcoin:?amount=1") }
        #expect(throws: BitcoinError.self) { try BitcoinURI("bitcoin://\(Self.address)") }
    }
}
