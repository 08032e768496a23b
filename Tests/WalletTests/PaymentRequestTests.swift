import Amounts
import Bitcoin
import Ethereum
import Testing

@Suite("Payment requests of Bitcoin (BIP-21)")
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
        // What is required and not known makes a request that cannot be paid; what is not required is ignored.
        #expect(throws: BitcoinError.badURI(.unknownRequirement(name: "req-somethingyoudontunderstand"))) {
            try BitcoinURI("bitcoin:\(Self.address)?req-somethingyoudontunderstand=50&req-somethingelseyoudontget=999")
        }
        let other = try BitcoinURI(
            "bitcoin:\(Self.address)?somethingyoudontunderstand=50&somethingelseyoudontget=999")
        #expect(other.address == plain.address)
    }

    @Test("capital letters, as codes have them, are read")
    func capitals() throws {
        let uri = try BitcoinURI("BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?AMOUNT=0.01")
        #expect(try uri.address == Address("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"))
        #expect(uri.amount?.satoshis == 1_000_000)
    }

    @Test(
        "what two readers would read in two ways is refused",
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

    @Test("another scheme, and an address that is none, are refused")
    func others() {
        #expect(throws: BitcoinError.badURI(.malformed)) { try BitcoinURI("litecoin:\(Self.address)") }
        #expect(throws: BitcoinError.badURI(.malformed)) { try BitcoinURI(Self.address) }
        #expect(throws: BitcoinError.self) { try BitcoinURI("bitcoin:\(Self.address.dropLast())x") }
        #expect(throws: BitcoinError.self) { try BitcoinURI("bitcoin:?amount=1") }
        #expect(throws: BitcoinError.self) { try BitcoinURI("bitcoin://\(Self.address)") }
    }
}

@Suite("Payment requests of Ethereum (ERC-681)")
struct EthereumURITests {
    private static let payee = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
    private static let token = "0x89205A3A3b2A69De6Dbf7f01ED13B2108B2c43e7"
    private static let receiver = "0x8e23ee67d1332ad560396262c48ffbb01f93d052"

    @Test("the examples of ERC-681 are read")
    func examples() throws {
        let coins = try EthereumURI("ethereum:\(Self.payee)?value=2.014e18")
        #expect(coins.amount == (try UInt256(decimal: "2014000000000000000")))
        #expect(coins.payeeText == Self.payee && coins.chain == nil && coins.token == nil)
        let tokens = try EthereumURI("ethereum:\(Self.token)/transfer?address=\(Self.receiver)&uint256=1")
        #expect(try tokens.token == EthereumAddress(Self.token) && tokens.payee == EthereumAddress(Self.receiver))
        #expect(tokens.amount == UInt256(1))
    }

    @Test("a chain, the prefix of payments, and an amount that the payer chooses")
    func parts() throws {
        let uri = try EthereumURI("ethereum:pay-\(Self.payee)@8453?gas=21000&gasPrice=5")
        #expect(try uri.chain == ChainID(8_453) && uri.amount == nil)
        #expect(try uri.payee == EthereumAddress(Self.payee))
    }

    @Test(
        "amounts are exact, or refused",
        arguments: [
            ("1", "1"), ("1e18", "1000000000000000000"), ("1.5e1", "15"), ("0010", "10"), ("1E2", "100"),
            ("1.50e2", "150"),
            ("1.5", nil), ("1.55e1", nil), ("-1", nil), ("+1", nil), ("0", nil), ("", nil), ("e5", nil), (".5e1", "5"),
            ("1.e2", nil), ("1e-2", nil), ("1e", nil), ("1e79", nil), ("0x10", nil), ("1e+2", nil),
            (String(repeating: "9", count: 78), nil), ("1_0", nil), ("١", nil),
        ] as [(String, String?)])
    func amounts(text: String, expected: String?) throws {
        let line = "ethereum:\(Self.payee)?value=\(text)"
        if let expected {
            #expect(try EthereumURI(line).amount == UInt256(decimal: expected))
        } else {
            #expect(throws: EthereumError.self) { try EthereumURI(line) }
        }
    }

    @Test(
        "what is no plain payment is refused",
        arguments: [
            ("ethereum:\(token)/approve?address=\(receiver)&uint256=1", .otherFunction),
            ("ethereum:\(token)/transfer?uint256=1", .badTransfer),
            ("ethereum:\(token)/transfer?address=\(receiver)&uint256=1&value=1", .badTransfer),
            ("ethereum:\(payee)?address=\(receiver)", .otherFunction),
            ("ethereum:\(payee)?value=1&value=2", .repeated(name: "value")),
            ("ethereum:\(token)/transfer/x?address=\(receiver)", .malformed), ("ethereum:\(payee)@1@2", .malformed),
            ("bitcoin:\(payee)", .malformed),
        ] as [(String, EthereumURI.Fault)])
    func faults(text: String, fault: EthereumURI.Fault) {
        #expect(throws: EthereumError.badURI(fault)) { try EthereumURI(text) }
    }

    @Test("a name, a chain that is none, and an address with a wrong letter are refused")
    func others() {
        for text in [
            "ethereum:doge-to-the-moon.eth", "ethereum:\(Self.payee)@0", "ethereum:\(Self.payee)@x", "ethereum:",
            "ethereum:?value=1",
        ] {
            #expect(throws: EthereumError.self, "\(text)") { try EthereumURI(text) }
        }
        #expect(throws: EthereumError.self) { try EthereumURI("ethereum:0xFB6916095ca1df60bB79Ce92cE3Ea74c37c5d359") }
    }
}
