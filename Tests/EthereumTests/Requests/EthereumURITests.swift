import Amounts
import Ethereum
import Testing

@Suite("Ethereum payment requests (ERC-681)")
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

    @Test("a chain, the prefix of payments, and a request without an amount are read")
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
        "a transaction that is not a plain payment is refused",
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

    @Test("a name, an invalid chain, and an address with a wrong letter are refused")
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
