internal import Curves
internal import Secrets

extension ECDSA {
    /// What one signer sends to one other: sealed with a key that only these two have, so that whoever passes it on can neither
    /// read nor change it, nor make one signer look guilty to another.
    struct SealedMessage {
        let kind: MessageKind
        let session: [UInt8]
        let sender: ParticipantIndex
        let recipient: ParticipantIndex

        private var header: MessageWriter<Secp256k1> {
            var writer = MessageWriter<Secp256k1>(kind: kind, reserving: 65_536)
            writer.bytes(session)
            writer.index(sender)
            writer.index(recipient)
            return writer
        }

        private func key(_ pair: Pair) -> SecretBytes {
            Oracle.secretHash("channel", pair.seed, session, [UInt8(sender.value)], [UInt8(recipient.value)])
        }

        /// Header, nonce, sealed body.
        func seal(_ body: [UInt8], with pair: Pair, nonce: [UInt8]) -> [UInt8] {
            var writer = header
            let sealed = XChaCha20Poly1305.seal(body, key: key(pair), nonce: nonce, associatedData: writer.bytes)
            writer.bytes(nonce)
            writer.bytes(sealed)
            return writer.bytes
        }

        /// - Throws: ``ThresholdError/malformed(_:)``; ``ThresholdError/disagreement(with:)`` for another session;
        ///   ``ThresholdError/unauthentic(from:)`` for what the peer did not seal.
        func open(_ bytes: [UInt8], with pair: Pair) throws(ThresholdError) -> [UInt8] {
            var reader = try MessageReader<Secp256k1>(bytes, kind: kind)
            guard try reader.bytes(32) == session else { throw .disagreement(with: sender) }
            guard try reader.bytes(2) == [sender, recipient].map({ UInt8($0.value) }) else {
                throw .unauthentic(from: sender)
            }
            let nonce = try reader.bytes(XChaCha20Poly1305.nonceSize)
            guard
                let body = XChaCha20Poly1305.open(
                    try reader.rest(), key: key(pair), nonce: nonce, associatedData: header.bytes)
            else { throw .unauthentic(from: sender) }
            return body
        }
    }
}

extension MessageKind {
    static let nonceCommitment = MessageKind(code: 0x48)
    static let extensionMessage = MessageKind(code: 0x49)
    static let multiplicationMessage = MessageKind(code: 0x4A)
    static let partialSignature = MessageKind(code: 0x4B)
}
