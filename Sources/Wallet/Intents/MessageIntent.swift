internal import Amounts
internal import Bitcoin
internal import Curves
internal import Ethereum
internal import HDKeys

extension Intent {
    /// What it means that this account signs a message (EIP-191).
    init(_ message: PersonalMessage, by signer: EthereumAddress) {
        chain = nil
        highestFee = nil
        let reading = MessageReading(message.bytes)
        (effects, findings) = ([.message(reading.text)], reading.findings)
        digest = Self.digest("message", signer: signer, message.bytes)
    }

    /// What it means that an address of Bitcoin signs a message (BIP-322).
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

    /// What it means that this account signs typed data (EIP-712).
    ///
    /// - Parameters:
    ///   - document: what the data was read from.
    ///   - network: of Bitcoin, for which the wallet was made: whether its coins are worth something.
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
        // The hash that is signed covers the values; the types' names are in it as well.
        digest = Self.digest("typed data", signer: signer, data.hash)
    }

    /// What stands against a domain whose chain this wallet cannot know.
    private static func chainless(_ number: UInt256?) -> Finding {
        guard let number else { return Finding("no_chain", "it names no chain, and is good on every one", .costly) }
        // No chain has this number, so a contract that takes the signature does not look at it.
        guard !number.isZero else {
            return Finding("no_chain", "it names chain 0, which does not exist, and may be good on every one", .costly)
        }
        // No transaction can be signed for such a chain either (EIP-2294).
        return Finding(
            "chain_too_large", "it names chain \(number), which is beyond all that this wallet can know", .refusal)
    }
}
