internal import Curves
public import Threshold

extension ECDSA {
    /// Round 1, to all: a part of the session's identity, and a commitment to the signer's part of the nonce.
    struct NonceCommitment: Equatable {
        let index: ParticipantIndex
        /// The signer's part of the session's identity, 32 bytes.
        let nonce: [UInt8]
        /// The commitment, 32 bytes.
        let commitment: [UInt8]

        /// Returns the commitment to these values.
        static func commitment(
            to point: Secp256k1.Point, salt: [UInt8], nonce: [UInt8], by index: ParticipantIndex, in context: [UInt8]
        ) -> [UInt8] {
            TaggedHash.hash("nonce commitment", context, [UInt8(index.value)], nonce, point.encoded, salt)
        }

        /// Returns the session's identity: the hash of everything that was agreed on, and of all first messages.
        static func session(_ commitments: [NonceCommitment], in context: [UInt8]) -> [UInt8] {
            TaggedHash.hash(
                "session", context,
                commitments.flatMap { [UInt8($0.index.value)] + $0.nonce + $0.commitment })
        }

        /// Encodes header, epoch, context, index, nonce, commitment.
        func encoded(epoch: Int, context: [UInt8]) -> [UInt8] {
            var writer = MessageWriter<Secp256k1>(kind: .nonceCommitment)
            writer.epoch(epoch)
            writer.bytes(context)
            writer.index(index)
            writer.bytes(nonce)
            writer.bytes(commitment)
            return writer.bytes
        }

        init(index: ParticipantIndex, nonce: [UInt8], commitment: [UInt8]) {
            self.index = index
            self.nonce = nonce
            self.commitment = commitment
        }

        /// - Throws: `ThresholdError.malformed(_:)`; `ThresholdError.wrongEpoch(expected:got:)` for a share of
        ///   another epoch; `ThresholdError.disagreement(with:)` if the sender signs another request;
        ///   `ThresholdError.faulty(culprits:)` with the sender, for a message with another's index.
        init(
            decoding bytes: [UInt8], from index: ParticipantIndex, epoch: Int, context: [UInt8]
        ) throws(ThresholdError) {
            let message = try FirstMessage(decoding: bytes)
            guard message.epoch == epoch else { throw .wrongEpoch(expected: epoch, got: message.epoch) }
            guard message.context == context else { throw .disagreement(with: index) }
            guard message.commitment.index == index else { throw .faulty(culprits: [index]) }
            self = message.commitment
        }
    }

    /// A first message as it was sent, not yet checked.
    private struct FirstMessage {
        let epoch: Int
        let context: [UInt8]
        let commitment: NonceCommitment

        init(decoding bytes: [UInt8]) throws(ThresholdError) {
            var reader = try MessageReader<Secp256k1>(bytes, kind: .nonceCommitment)
            epoch = try reader.epoch()
            context = try reader.bytes(32)
            commitment = NonceCommitment(
                index: try reader.index(), nonce: try reader.bytes(32), commitment: try reader.bytes(32))
            try reader.finish()
        }
    }

    /// Returns the identity of a session (``Presignature/id``), as the coordinator computes it.
    ///
    /// - Parameters:
    ///   - messages: the first message of each signer, as all of them received it.
    ///   - request: the request that they sign.
    /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`,
    ///   `ThresholdError.malformed(_:)`; `ThresholdError.faulty(culprits:)` for a message with another's index;
    ///   `ThresholdError.failedSignature` for messages of different sessions, with which no signer has continued.
    public static func sessionID(
        after messages: [ParticipantIndex: [UInt8]], of request: SigningRequest
    ) throws(ThresholdError) -> [UInt8] {
        var contexts: Set<[UInt8]> = []
        var commitments: [NonceCommitment] = []
        for (index, bytes) in try messages.ordered(from: request.signers) {
            let message = try FirstMessage(decoding: bytes)
            guard message.commitment.index == index else { throw .faulty(culprits: [index]) }
            contexts.insert(message.context)
            commitments.append(message.commitment)
        }
        guard let context = contexts.first, contexts.count == 1 else { throw .failedSignature }
        return NonceCommitment.session(commitments, in: context)
    }
}
