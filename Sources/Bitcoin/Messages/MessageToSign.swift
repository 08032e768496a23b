/// A message that one address of the wallet is asked to sign (BIP-322, simple form).
///
/// It is signed as a spend is, by a ``SigningRequest``: the group's key, tweaked to the address, signs 32 bytes. What those
/// bytes stand for can never be mined, and nothing that can be mined is ever signed by them
/// (``Refusal/worthlessInput(input:)``).
///
/// ```swift
/// let message = MessageToSign(Array("I hold this address".utf8), by: key)
/// let text = try message.signature(from: signature).text
/// ```
public struct MessageToSign: Equatable, Sendable {
    /// As it is, without prefix; text in UTF-8.
    public let message: [UInt8]
    /// Of the address that signs.
    public let key: DerivedKey

    /// Creates the request to sign a message by the key of an address.
    public init(_ message: [UInt8], by key: DerivedKey) {
        self.message = message
        self.key = key
    }

    /// hash_BIP0322-signed-message(message), 32 bytes: stands for the message, whoever signs it.
    public var hash: [UInt8] { MessageTransactions.hash(of: message) }

    /// What is to be signed, and by which key.
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

    /// Makes the signature of the message from the one that was asked for, once it is verified.
    ///
    /// - Parameter signature: 64 bytes, for ``signingRequest``.
    /// - Throws: ``BitcoinError/badSignature(input:)``.
    public func signature(from signature: [UInt8]) throws(BitcoinError) -> MessageSignature {
        let transactions = MessageTransactions(message, to: key.scriptPubKey)
        var psbt = try PSBT(transactions.toSign, previousOutputs: [transactions.spent])
        try psbt.insert(signature: signature, for: signingRequest)
        guard let witness = try psbt.finalised().inputs[0].finalWitness else { throw .badSignature(input: 0) }
        return MessageSignature(.simple(witness))
    }
}
