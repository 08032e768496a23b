import Bitcoin
import Encoding
import Ethereum
import Testing
import Texts
import Wallet

@testable import ErrorTexts
@testable import Presentation

@Suite("Verdicts on signed messages")
struct VerdictTests {
    /// An example of BIP-322: the empty message.
    private static let address = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l"
    private static let signature =
        "AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI="
    private static let anna = "0x52908400098527886E0F7030069857D2E4169EE7"
    private static let ben = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"

    private static func verify(
        _ message: String, by address: String = address, _ signature: String = signature,
        as form: MessageVerification.Form = .message
    ) throws -> MessageVerification {
        try MessageVerification(of: Array(message.utf8), as: form, by: address, signature: signature)
    }

    @Test("the standard's example is valid for its message and no other")
    func bitcoin() throws {
        #expect(try Self.verify("") == .bitcoin(.valid) && Self.verify("").isValid)
        #expect(try Self.verify("\n") == .bitcoin(.invalid) && !Self.verify("\n").isValid)
        #expect(try Self.verify("", by: "3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN") == .bitcoin(.inconclusive))
        #expect(!MessageVerification.bitcoin(.validAt(lockTime: 1, sequence: 0)).isValid)
    }

    @Test("an Ethereum signature is valid if the expected account made it", arguments: [true, false])
    func ethereum(isValid: Bool) throws {
        let (anna, ben) = (try EthereumAddress(Self.anna), try EthereumAddress(Self.ben))
        let verification = MessageVerification.ethereum(signer: isValid ? anna : ben, expected: anna)
        let verdict = SignatureVerdict(verification, Self.anna, findings: [])
        #expect(verification.isValid == isValid && (verdict.failure == nil) == isValid)
        #expect(verdict.text.hasPrefix(isValid ? "valid: " : "invalid: "))
        #expect(verdict.failure?.code ?? .refused == .refused)
        #expect(!MessageVerification.ethereum(signer: nil, expected: anna).isValid)
    }

    @Test("a fault names the part that is wrong")
    func faults() {
        #expect(throws: MessageVerificationFault.typedDataOnBitcoin) { try Self.verify("", as: .typedData) }
        #expect(throws: MessageVerificationFault.bitcoinSignature(.proofOfFunds)) {
            try Self.verify("", "pof" + Self.signature)
        }
        #expect(throws: MessageVerificationFault.ethereumSignature(.badSignature)) {
            try Self.verify("", by: Self.anna, "0xab")
        }
        #expect(throws: MessageVerificationFault.account(.malformed(.badChecksum))) {
            try Self.verify("", by: Self.anna.replacing("E", with: "e"), "0xab")
        }
        let fault = #expect(throws: MessageVerificationFault.self) { try Self.verify("", by: "anna") }
        #expect(fault?.failure(address: "anna").name == "bad_address")
    }

    @Test("a finding about the message is a warning, and valid stays valid")
    func findings() throws {
        let message = "hello\u{202E}"
        let findings = try MessageVerification.findings(on: Array(message.utf8), as: .message)
        let verdict = SignatureVerdict(.bitcoin(.valid), Self.address, findings: findings)
        #expect(verdict.failure == nil)
        #expect(verdict.warnings.count == findings.count && !findings.isEmpty)
        #expect(verdict.warnings.allSatisfy { $0.hasPrefix("warning: of the message, ") })
    }
}
