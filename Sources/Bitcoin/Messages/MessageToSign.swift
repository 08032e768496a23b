/// A message to be signed by one address of the wallet (BIP-322, simple form).
///
/// It is signed as a spend is, by a ``SigningRequest``: the group key, tweaked to the address, signs 32 bytes. The
/// transaction behind these bytes can never be mined, and the wallet never signs a transaction that can be mined as a
/// message (``Refusal/worthlessInput(input:)``).
///
/// ```swift
/// let message = MessageToSign(Array("I hold this address".utf8), by: key)
/// let text = try message.signature(from: signature).text
/// ```
public struct MessageToSign: Equatable, Sendable {
    /// The message without a prefix; text is in UTF-8.
    public let message: [UInt8]
    /// The key of the address that signs.
    public let key: DerivedKey

    /// Creates the request to sign a message by the key of an address.
    public init(_ message: [UInt8], by key: DerivedKey) {
        self.message = message
        self.key = key
    }

    /// The message's hash, hash_BIP0322-signed-message(message): 32 bytes, the same for every signer.
    public var hash: [UInt8] { MessageTransactions.hash(of: message) }

    /// The request for the signature: the 32 bytes to be signed, and the key.
    public var signingRequest: SigningRequest {
        let type: SighashType =
            switch key {
            case .taproot: .default
            case .segwit: .all
            }
        let transactions = MessageTransactions(message, to: key.scriptPubKey)
        guard let sighashes = try? Sighashes(transactions.toSign, spending: [transactions.spent]),
            let message = try? sighashes.hash(input: 0, type: type)
        else { preconditionFailure("there is one input, and it is spent by a key") }
        return SigningRequest(input: 0, message: message, sighashType: type, key: key)
    }

    /// Verifies a signature of ``signingRequest`` and makes the message's signature of it.
    ///
    /// - Parameter signature: the 64 bytes of the signature.
    /// - Throws: ``BitcoinError/badSignature(input:)``.
    public func signature(from signature: [UInt8]) throws(BitcoinError) -> MessageSignature {
        let transactions = MessageTransactions(message, to: key.scriptPubKey)
        var psbt = try PSBT(transactions.toSign, previousOutputs: [transactions.spent])
        try psbt.insert(signature: signature, for: signingRequest)
        guard let witness = try psbt.finalised().inputs[0].finalWitness else { throw .badSignature(input: 0) }
        return MessageSignature(.simple(witness))
    }
}
