internal import Bitcoin
internal import ErrorTexts
internal import Ethereum
package import Texts
package import Wallet

/// The view of the verdict on a signature.
package struct SignatureVerdict: ResultView {
    let chain: String
    let address: String
    /// The verdict: `valid`, `valid_at`, `inconclusive` or `invalid`.
    let verdict: String
    /// The height or the time (`nLockTime`) from which the signature's transaction could be mined.
    var lock_time: UInt32?
    /// The age of the coins that the signature's transaction could spend (BIP-68).
    var sequence: UInt32?
    /// The account that made the signature of this message on Ethereum; null if there is none.
    var signer: String?
    /// The findings about the message; left out if there is none.
    var remarks: [MessageFinding]?

    /// The sentence for a person. Its first word is the verdict.
    package var text: String { "\(verdict): \(meaning)" }

    /// A warning for each finding about the message.
    package var warnings: [String] {
        (remarks ?? []).map { "warning: of the message, \($0.text)" }
    }

    private var meaning: String {
        switch verdict {
        case "valid": "\(address) signed this"
        case "valid_at":
            "\(address) signed this, and the signature counts only with lock time \(lock_time ?? 0) and sequence \(sequence ?? 0)"
        case "inconclusive": "whether \(address) signed this cannot be told without running a script"
        default: "\(address) did not sign this" + (signer.map { ". The signature would be that of \($0)" } ?? "")
        }
    }

    /// The failure of a signature that is not known to be valid; nil for a valid one.
    package let failure: Failure?

    private enum CodingKeys: String, CodingKey {
        case chain, address, verdict, lock_time, sequence, signer, remarks
    }

    /// - Parameters:
    ///   - address: the expected signer as the person wrote it.
    ///   - findings: the findings about the message.
    package init(_ verification: MessageVerification, _ address: String, findings: [Finding]) {
        switch verification {
        case .bitcoin(let found):
            (chain, self.address) = ("bitcoin", address)
            switch found {
            case .valid: verdict = "valid"
            case .validAt(let lockTime, let sequence):
                (verdict, lock_time, self.sequence) = ("valid_at", lockTime, sequence)
            case .inconclusive: verdict = "inconclusive"
            case .invalid: verdict = "invalid"
            }
        case .ethereum(let signer, let account):
            (chain, self.address, self.signer) = ("ethereum", account.description, signer?.description)
            verdict = verification.isValid ? "valid" : "invalid"
        }
        remarks = findings.isEmpty ? nil : findings.map(MessageFinding.init)
        failure =
            verification.isValid
            ? nil : Failure(code: .refused, name: verdict, message: "the signature is not known to be valid")
    }
}

/// A finding about a message, as programs read it.
struct MessageFinding: Encodable {
    let name: String
    let text: String

    init(_ finding: Finding) { (name, text) = (finding.name, finding.text) }
}

extension MessageVerificationFault {
    /// The failure of a signature that cannot be verified.
    ///
    /// - Parameter address: the expected signer as the person wrote it.
    package func failure(address: String) -> Failure {
        switch self {
        case .typedDataOnBitcoin:
            .usage("typed data is signed by accounts of Ethereum, and this is not the address of one")
        case .bitcoinAddress(let error): error.failure(ofAddress: address)
        case .account(let error): error.failure(ofAddress: address)
        case .bitcoinSignature(let fault): fault.failure
        case .ethereumSignature(let error), .message(let error): error.failure
        }
    }
}
