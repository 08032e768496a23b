internal import Curves
internal import Secrets
internal import Threshold

extension ECDSA {
    /// A message of one participant to another, sealed with a key that only these two have. So the coordinator can
    /// neither read nor change it, nor make one of them look guilty to the other.
    struct SealedMessage {
        let kind: MessageKind
        /// The session, 32 bytes.
        let session: [UInt8]
        let sender: ParticipantIndex
        let recipient: ParticipantIndex

        private var header: [UInt8] {
            var writer = MessageWriter<Secp256k1>(kind: kind)
            writer.bytes(session)
            writer.index(sender)
            writer.index(recipient)
            return writer.bytes
        }

        /// Returns header, nonce, and sealed body.
        func seal(_ body: [UInt8], key: borrowing SecretBytes, nonce: [UInt8]) -> [UInt8] {
            let header = header
            return header + nonce
                + XChaCha20Poly1305.seal(body, key: key, nonce: nonce, associatedData: header)
        }

        /// Opens a sealed message, and returns its body.
        ///
        /// - Throws: `ThresholdError.malformed(_:)`; `ThresholdError.disagreement(with:)` for another session;
        ///   `ThresholdError.unauthentic(from:)` for a message that the sender did not seal with this key.
        func open(_ bytes: [UInt8], key: borrowing SecretBytes) throws(ThresholdError) -> [UInt8] {
            var reader = try MessageReader<Secp256k1>(bytes, kind: kind)
            guard try reader.bytes(32) == session else { throw .disagreement(with: sender) }
            guard try reader.bytes(2) == [sender, recipient].map({ UInt8($0.value) }) else {
                throw .unauthentic(from: sender)
            }
            let nonce = try reader.bytes(XChaCha20Poly1305.nonceSize)
            guard
                let body = XChaCha20Poly1305.open(
                    try reader.rest(), key: key, nonce: nonce, associatedData: header)
            else { throw .unauthentic(from: sender) }
            return body
        }
    }
}
