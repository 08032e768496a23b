internal import Secrets
internal import Threshold

extension MessageKind {
    static let nonceCommitment = MessageKind(code: 0x48)
    static let extensionMessage = MessageKind(code: 0x49)
    static let multiplicationMessage = MessageKind(code: 0x4A)
    static let partialSignature = MessageKind(code: 0x4B)
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
