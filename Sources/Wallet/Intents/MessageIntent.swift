internal import Encoding

extension Intent {
    /// What it means that this account signs a message (EIP-191).
    init(_ message: PersonalMessage, by signer: EthereumAddress) {
        chain = nil
        let text = message.text
        let shown = ShownText(
            text ?? "0x" + Hex.encode(message.bytes), limit: WalletLimits.shownMessageCharacters, lines: .several)
        effects = [.message(shown)]
        highestFee = nil
        var remarks = shown.oddities.map { Remark("odd_text", $0.description, .costly) }
        if text == nil {
            remarks.append(Remark("not_text", "it is no text, so that nobody can tell what it means", .costly))
        }
        if message.bytes.count == 32 {
            remarks.append(Remark("hash_sized", "it has the size of a hash: of what, cannot be told", .costly))
        }
        self.remarks = remarks
        digest = Self.digest("message", signer: signer, message.bytes)
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
