internal import Bitcoin
internal import Custody
internal import Encoding
internal import Ethereum
internal import Payments
internal import Terminal
internal import Wallet

/// Has a message signed, and prints the signature.
enum MessageSigning {
    private struct Result: Encodable {
        /// BIP-322's text, or 65 bytes in hexadecimal.
        let signature: String
        /// Who signed: an address or account.
        let address: String
        let chain: String?
        let shares: [String]
        let warnings: [String]
        let digest: String
        /// What was signed.
        let intent: IntentView
    }

    static func perform(
        _ payload: SigningPayload, _ wallet: WalletRecord, _ signing: SigningOptions, _ global: GlobalOptions,
        _ output: Output, accepting accepted: Set<String> = []
    ) async throws(Failure) {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let address = PayloadDetails(payload, for: accounts).signer ?? ""
        let prompt = try await SigningPrompt.open(wallet, signing, global, output)
        let proposal = try await attempt { () async throws(PaymentError) in try await prompt.flow.propose(payload) }
        guard let (signed, view) = try await prompt.sign(proposal, accepting: accepted) else { return }
        await prompt.flow.book.close()
        let warnings = prompt.warnings(of: signed)
        let text = signed.product.messageSignature
        try output.result(
            Result(
                signature: text, address: address, chain: view.chain, shares: prompt.shares, warnings: warnings,
                digest: view.digest, intent: view)
        ) { text }
    }
}

extension SigningProduct {
    /// The signature of a message as text.
    var messageSignature: String {
        switch self {
        case .bitcoinMessage(let signature): signature.text
        case .ethereumMessage(let signature): "0x" + Hex.encode(signature.encoded)
        case .bitcoinTransaction, .ethereumTransaction:
            preconditionFailure("a message becomes the signature of a message")
        }
    }
}
