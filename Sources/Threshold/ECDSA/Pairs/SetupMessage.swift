internal import Curves
internal import Secrets

extension ECDSA.PairSetup {
    /// What one participant sends to one other, sealed with a key that only these two have.
    ///
    /// The key follows from all that the two have sent before, too: so a message opens only as the answer to the very messages that
    /// it was made for, and an old one, sent again, is nothing that anybody could be blamed for.
    struct SetupMessage {
        /// The three steps of a pair.
        enum Step: UInt8 {
            case first = 1
            case second
            case third

            var kind: MessageKind {
                switch self {
                case .first: .setupMessage1
                case .second: .setupMessage2
                case .third: .setupMessage3
                }
            }
        }

        let step: Step
        let session: [UInt8]
        let sender: ParticipantIndex
        let recipient: ParticipantIndex
        /// The sealed messages before this one.
        let previous: [[UInt8]]

        private var header: MessageWriter<Secp256k1> {
            var writer = MessageWriter<Secp256k1>(kind: step.kind, reserving: 50_000)
            writer.bytes(session)
            writer.index(sender)
            writer.index(recipient)
            return writer
        }

        private func key(_ seed: borrowing SecretBytes) -> SecretBytes {
            var hasher = ECDSA.Oracle.hasher("set-up channel")
            hasher.update(part: seed)
            hasher.update(part: [UInt8(sender.value)])
            hasher.update(part: [UInt8(recipient.value)])
            hasher.update(part: [step.rawValue])
            for message in previous { hasher.update(part: message) }
            return hasher.finalizeSecret()
        }

        /// Header, nonce, sealed body.
        func seal(_ body: [UInt8], seed: borrowing SecretBytes, random: some RandomSource) -> [UInt8] {
            var writer = header
            let nonce = random.publicBytes(count: XChaCha20Poly1305.nonceSize)
            let sealed = XChaCha20Poly1305.seal(body, key: key(seed), nonce: nonce, associatedData: writer.bytes)
            writer.bytes(nonce)
            writer.bytes(sealed)
            return writer.bytes
        }

        /// - Throws: ``ThresholdError/malformed(_:)``; ``ThresholdError/disagreement(with:)`` for another session;
        ///   ``ThresholdError/unauthentic(from:)`` for what the peer did not seal in answer to these messages.
        func open(_ bytes: [UInt8], seed: borrowing SecretBytes) throws(ThresholdError) -> [UInt8] {
            var reader = try MessageReader<Secp256k1>(bytes, kind: step.kind)
            guard try reader.bytes(32) == session else { throw .disagreement(with: sender) }
            guard try reader.index() == sender, try reader.index() == recipient else {
                throw .unauthentic(from: sender)
            }
            let nonce = try reader.bytes(XChaCha20Poly1305.nonceSize)
            guard
                let body = XChaCha20Poly1305.open(
                    try reader.rest(), key: key(seed), nonce: nonce, associatedData: header.bytes)
            else { throw .unauthentic(from: sender) }
            return body
        }
    }
}

extension MessageKind {
    static let setupMessage1 = MessageKind(code: 0x40)
    static let setupMessage2 = MessageKind(code: 0x41)
    static let setupMessage3 = MessageKind(code: 0x42)
    static let setupConfirmation = MessageKind(code: 0x43)
    static let setupCertificate = MessageKind(code: 0x44)
}
