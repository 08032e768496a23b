internal import Curves
internal import Encoding

extension Intent {
    /// What it means that this account signs a message (EIP-191).
    init(_ message: PersonalMessage, by signer: EthereumAddress) {
        chain = nil
        highestFee = nil
        (effects, remarks) = Self.reading(message.bytes, text: message.text)
        digest = Self.digest("message", signer: signer, message.bytes)
    }

    /// What it means that an address of Bitcoin signs a message (BIP-322).
    ///
    /// Its digest is taggedHash("Fueki/bitcoin/message", size of the script (1 byte) ‖ its script ‖ the message).
    init(_ message: MessageToSign, on network: Network) {
        chain = .bitcoin(network)
        highestFee = nil
        (effects, remarks) = Self.reading(message.message, text: String(validating: message.message, as: UTF8.self))
        let script = message.key.scriptPubKey.bytes
        digest = BIP340.taggedHash("Fueki/bitcoin/message", [UInt8(script.count)] + script + message.message)
    }

    /// What a person sees of a message.
    private static func reading(_ bytes: [UInt8], text: String?) -> ([Effect], [Remark]) {
        let shown = ShownText(
            text ?? "0x" + Hex.encode(bytes), limit: WalletLimits.shownMessageCharacters, lines: .several)
        var remarks = shown.oddities.map { Remark("odd_text", $0.description, .costly) }
        if shown.oddities.contains(.cut) {
            remarks.append(Remark("cut_text", "it is longer than anybody reads, and is not shown to its end", .refusal))
        }
        if text == nil {
            remarks.append(Remark("not_text", "it is no text, so that nobody can tell what it means", .costly))
        }
        if bytes.count == 32 {
            remarks.append(Remark("hash_sized", "it has the size of a hash: of what, cannot be told", .costly))
        }
        return ([.message(shown)], remarks)
    }

    /// What it means that this account signs typed data (EIP-712).
    ///
    /// - Parameter document: what the data was read from.
    init(_ data: TypedData, document: [UInt8], by signer: EthereumAddress) {
        let id = data.domain.chainID?.uint64.flatMap { try? ChainID($0) }
        chain = id.map(Chain.ethereum)
        effects = Effect.effects(of: data, by: signer)
        highestFee = nil
        var remarks: [Remark] = []
        if id == nil {
            remarks.append(Remark("no_chain", "it names no chain, and is good on every one", .costly))
        }
        self.remarks = remarks
        // The hash that is signed covers the values; the types' names are in it as well.
        digest = Self.digest("typed data", signer: signer, data.hash)
    }
}
