internal import Amounts
internal import Bitcoin
internal import Curves
internal import DisplayText
internal import Ethereum
internal import HDKeys

extension Intent {
    /// Describes a message that an Ethereum account signs (EIP-191).
    init(_ message: PersonalMessage, by signer: EthereumAddress) {
        chain = nil
        highestFee = nil
        let reading = MessageReading(message.bytes)
        (effects, findings) = ([.message(reading.text)], reading.findings)
        digest = Self.digest("message", signer: signer, message.bytes)
    }

    /// Describes a message that a Bitcoin address signs (BIP-322).
    ///
    /// Its digest is taggedHash("Fueki/bitcoin/message", size of the script (1 byte) ‖ its script ‖ the message).
    init(_ message: MessageToSign, on network: Network) {
        chain = .bitcoin(network)
        highestFee = nil
        let reading = MessageReading(message.message)
        (effects, findings) = ([.message(reading.text)], reading.findings)
        let script = message.key.scriptPubKey.bytes
        digest = BIP340.taggedHash("Fueki/bitcoin/message", [UInt8(script.count)] + script + message.message)
    }

    /// Describes a file that the wallet's Ed25519 key signs.
    ///
    /// Its digest is taggedHash("Fueki/file", the payload's content), which begins with the public key.
    init(_ file: FileToSign) {
        chain = nil
        highestFee = nil
        let comment = SanitizedText(file.comment, limit: WalletLimits.trustedCommentBytes, lines: .one)
        effects = [.file(file.digest, comment: comment)]
        findings = comment.oddities.map { Finding("odd_text", "in the trusted comment: \($0)", .costly) }
        digest = BIP340.taggedHash("Fueki/file", file.encoded)
    }

    /// Describes typed data that an Ethereum account signs (EIP-712).
    ///
    /// - Parameters:
    ///   - document: the document from which the data was read.
    ///   - network: the Bitcoin network for which the wallet was made, which says whether its coins have a value.
    init(_ data: TypedData, document: [UInt8], by signer: EthereumAddress, network: Network) {
        let id = data.domain.chain
        chain = id.map(Chain.ethereum)
        effects = Effect.effects(of: data, by: signer)
        highestFee = nil
        let found: Finding? =
            if let id {
                ChainFit.mismatch(of: id, to: network).map { Finding("other_network", $0, .costly) }
            } else {
                Self.chainless(data.domain.chainID)
            }
        findings = [found].compactMap(\.self) + data.findings
        // The signed hash covers the values, and through the type hashes also the types' names.
        digest = Self.digest("typed data", signer: signer, data.hash)
    }

    /// Returns the refusal of a domain whose chain this wallet cannot know.
    private static func chainless(_ number: UInt256?) -> Finding {
        guard let number else { return Finding("no_chain", "it names no chain, and is good on every one", .costly) }
        // No chain has the number 0, so a contract that accepts the signature does not check the chain.
        guard !number.isZero else {
            return Finding("no_chain", "it names chain 0, which does not exist, and may be good on every one", .costly)
        }
        // Transactions for such a chain cannot be signed either (EIP-2294).
        return Finding(
            "chain_too_large", "it names chain \(number), which is beyond all that this wallet can know", .refusal)
    }
}
