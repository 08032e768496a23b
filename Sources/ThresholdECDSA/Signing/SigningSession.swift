internal import Curves
internal import Threshold

extension ECDSA {
    /// The state that all rounds of one signer share. Only the pairs contain secrets.
    struct SigningSession: Sendable {
        let request: SigningRequest
        let group: GroupKey<Secp256k1>
        let index: ParticipantIndex
        let epoch: Int
        /// The context, computed from the request and the shares.
        let context: [UInt8]
        /// The pairs with the other signers, ascending.
        let pairs: [Pair]

        /// Reads one message of each other signer.
        ///
        /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`, and the
        ///   errors of `decode`.
        func decode<Message>(
            _ messages: [ParticipantIndex: [UInt8]],
            _ decode: ([UInt8], Pair) throws(ThresholdError) -> Message
        ) throws(ThresholdError) -> [Message] {
            var messages = messages
            // The signer's own message is among the first messages only.
            messages[index] = nil
            var decoded: [Message] = []
            for (pair, message) in zip(pairs, try messages.ordered(from: pairs.map(\.peer))) {
                decoded.append(try decode(message.bytes, pair))
            }
            return decoded
        }
    }
}

extension ECDSA {
    /// A session after all first messages: it has an identity, to which everything that follows is bound.
    struct AgreedSession: Sendable {
        let base: SigningSession
        /// The identity, 32 bytes, unique to the session.
        let identity: [UInt8]
        /// The first message of each other signer, in the order of the pairs.
        let commitments: [NonceCommitment]

        func seal(_ kind: MessageKind, from sender: ParticipantIndex, to recipient: ParticipantIndex) -> SealedMessage {
            SealedMessage(kind: kind, session: identity, sender: sender, recipient: recipient)
        }

        /// Opens one sealed message of each other signer, in the order of the pairs.
        ///
        /// - Throws: as ``SigningSession/decode(_:_:)`` and ``SealedMessage/open(_:key:)``.
        func open(
            _ kind: MessageKind, _ messages: [ParticipantIndex: [UInt8]]
        ) throws(ThresholdError) -> [[UInt8]] {
            try base.decode(messages) { bytes, pair throws(ThresholdError) in
                try seal(kind, from: pair.peer, to: base.index).open(bytes, with: pair)
            }
        }
    }
}
