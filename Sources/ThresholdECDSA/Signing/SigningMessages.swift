internal import Secrets
internal import Threshold

extension MessageKind {
    static let nonceCommitment = MessageKind(code: 0x48)
    static let extensionMessage = MessageKind(code: 0x49)
    static let multiplicationMessage = MessageKind(code: 0x4A)
    static let partialSignature = MessageKind(code: 0x4B)
}

extension ECDSA {
    /// The sizes of a signing session's messages in bytes, headers included.
    package enum MessageSize {
        /// Message 1.
        package static let nonceCommitment = 104
        /// Message 2.
        package static let transfer = 9_309
        /// Message 3.
        package static let multiplication = 49_489
    }
}

/// A message between two signers, sealed with a key of their pair, for one session and direction.
extension ECDSA.SealedMessage {
    private func key(_ pair: ECDSA.Pair) -> SecretBytes {
        ECDSA.TaggedHash.secretHash("channel", pair.seed, session, [UInt8(sender.value)], [UInt8(recipient.value)])
    }

    func seal(_ body: [UInt8], with pair: ECDSA.Pair, nonce: [UInt8]) -> [UInt8] {
        seal(body, key: key(pair), nonce: nonce)
    }

    /// Opens a sealed message with the key of the pair.
    ///
    /// - Throws: as ``open(_:key:)``.
    func open(_ bytes: [UInt8], with pair: ECDSA.Pair) throws(ThresholdError) -> [UInt8] {
        try open(bytes, key: key(pair))
    }
}
