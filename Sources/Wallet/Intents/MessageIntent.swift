internal import Curves

extension Intent {
    /// What it means that this account signs a message (EIP-191).
    init(_ message: PersonalMessage, by signer: EthereumAddress) {
        chain = nil
        highestFee = nil
        let reading = MessageReading(message.bytes)
        (effects, remarks) = ([.message(reading.text)], reading.remarks)
        digest = Self.digest("message", signer: signer, message.bytes)
    }

    /// What it means that an address of Bitcoin signs a message (BIP-322).
    ///
    /// Its digest is taggedHash("Fueki/bitcoin/message", size of the script (1 byte) ‖ its script ‖ the message).
    init(_ message: MessageToSign, on network: Network) {
        chain = .bitcoin(network)
        highestFee = nil
        let reading = MessageReading(message.message)
        (effects, remarks) = ([.message(reading.text)], reading.remarks)
        let script = message.key.scriptPubKey.bytes
        digest = BIP340.taggedHash("Fueki/bitcoin/message", [UInt8(script.count)] + script + message.message)
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
        self.remarks = remarks + data.remarks
        // The hash that is signed covers the values; the types' names are in it as well.
        digest = Self.digest("typed data", signer: signer, data.hash)
    }
}
