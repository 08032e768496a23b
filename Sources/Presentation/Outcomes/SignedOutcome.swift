internal import Bitcoin
internal import Encoding
internal import Ethereum
package import Wallet

/// The result of a signature that is not sent.
package struct SignedOutcome: Encodable {
    /// The signature of a message: BIP-322's text, or 65 bytes in hexadecimal. Left out if the product is in a file.
    var signature: String?
    /// The signer of a message: an address or account.
    var address: String?
    /// The file with the signed product.
    var output: String?
    /// The identifier of a Bitcoin transaction in a file.
    var id: String?
    var signed_inputs: Int?
    let chain: String?
    let shares: [String]
    /// The problems after signing, which do not affect the signatures.
    let warnings: [String]
    let digest: String
    /// The next step, if there is one.
    var hint: String?
    /// The signed intent; its `spend` is the view that `psbt inspect` shows.
    let intent: IntentView

    private init(_ intent: IntentView, shares: [String], warnings: [String]) {
        chain = intent.chain
        digest = intent.digest
        self.intent = intent
        self.shares = shares
        self.warnings = warnings
    }

    /// Creates the result for a message.
    package init(
        message product: SigningProduct, by address: String, _ intent: IntentView, shares: [String], warnings: [String]
    ) {
        self.init(intent, shares: shares, warnings: warnings)
        signature = product.text
        self.address = address
    }

    /// Creates the result for a pending proposal or the signature of a file, which go to a file.
    package init(
        proposal product: SigningProduct, in file: String, _ intent: IntentView, shares: [String], warnings: [String]
    ) {
        self.init(intent, shares: shares, warnings: warnings)
        output = file
        hint = product.hint(in: file)
    }

    /// Creates the result for a PSBT, which goes to a file.
    package init(psbt file: String, _ intent: IntentView, shares: [String], warnings: [String]) {
        self.init(intent, shares: shares, warnings: warnings)
        output = file
        id = intent.spend?.id
        signed_inputs = intent.spend?.inputs.count { $0.ours && !$0.signed }
    }

    /// The line for the person.
    package var text: String {
        if let signature { return signature }
        let inputs = signed_inputs.map { "\($0) input\($0 == 1 ? "" : "s") " } ?? ""
        return inputs + "signed with \(shares.joined(separator: " and "))" + (hint.map { "\n\($0)" } ?? "")
    }
}

extension SigningProduct {
    /// Whether the product is made for others, who have to be able to read its file: the signature of a file is.
    package var isForOthers: Bool { if case .file = self { true } else { false } }

    /// Returns the next step.
    ///
    /// - Parameter file: the file with the product.
    fileprivate func hint(in file: String) -> String? {
        switch self {
        case .ethereumTransaction: "it is not sent: the same 'fueki send' hands it to the node, and pays once"
        case .file(_, let key):
            // Without -x, minisign looks for the signature in FILE.minisig.
            "others verify it with 'minisign -V -m FILE \(file.hasSuffix(".minisig") ? "" : "-x SIGNATURE ")-P \(key.text)'"
        default: nil
        }
    }

    /// The identifier or hash of a transaction; empty for a message or file.
    package var name: String {
        switch self {
        case .bitcoinTransaction(let psbt): psbt.unsignedTransaction.id.description
        case .ethereumTransaction(let transaction): transaction.name
        case .bitcoinMessage, .ethereumMessage, .file: ""
        }
    }

    /// The content of the file, or the printed text.
    package var text: String {
        switch self {
        case .bitcoinTransaction(let psbt): psbt.base64
        case .ethereumTransaction(let transaction): "0x" + Hex.encode(transaction.encoded)
        case .bitcoinMessage(let signature): signature.text
        case .ethereumMessage(let signature): "0x" + Hex.encode(signature.encoded)
        case .file(let signature, _): signature.text
        }
    }
}
