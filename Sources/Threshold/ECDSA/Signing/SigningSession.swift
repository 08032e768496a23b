internal import Curves
internal import Secrets

extension ECDSA {
    /// What all rounds of one signer have in common. Nothing of it is secret but what the pairs hold.
    struct SigningSession: Sendable {
        let request: SigningRequest
        let group: GroupKey<Secp256k1>
        let index: ParticipantIndex
        let epoch: Int
        /// What the request and the shares come to.
        let context: [UInt8]
        /// One for each other signer, ascending.
        let pairs: [Pair]

        /// Reads one message of each other signer.
        ///
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``, and what `decode` throws.
        func decode<Message>(
            _ messages: [ParticipantIndex: [UInt8]],
            _ decode: ([UInt8], Pair) throws(ThresholdError) -> Message
        ) throws(ThresholdError) -> [Message] {
            var messages = messages
            // One's own is among the first messages, and among no others.
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
    /// A session after all first messages: it has an identity, which everything that follows is bound to.
    struct AgreedSession: Sendable {
        let base: SigningSession
        /// 32 bytes, which no other session has.
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
