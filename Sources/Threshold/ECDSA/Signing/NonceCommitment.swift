internal import Curves

extension ECDSA {
    /// Round 1, to all: a part of the session's identity, and a commitment to the signer's part of the nonce.
    struct NonceCommitment: Equatable {
        let index: ParticipantIndex
        /// 32 bytes.
        let nonce: [UInt8]
        /// 32 bytes.
        let commitment: [UInt8]

        /// What is committed to.
        static func commitment(
            to point: Secp256k1.Point, salt: [UInt8], nonce: [UInt8], by index: ParticipantIndex, in context: [UInt8]
        ) -> [UInt8] {
            Oracle.hash("nonce commitment", context, [UInt8(index.value)], nonce, point.encoded, salt)
        }

        /// The session's identity: everything that was agreed on, and all first messages.
        static func session(_ commitments: [NonceCommitment], in context: [UInt8]) -> [UInt8] {
            Oracle.hash(
                "session", context,
                commitments.flatMap { [UInt8($0.index.value)] + $0.nonce + $0.commitment })
        }

        /// Header, epoch, context, index, nonce, commitment.
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

        /// - Throws: ``ThresholdError/malformed(_:)``; ``ThresholdError/wrongEpoch(expected:got:)`` for shares from before or
        ///   after a renewal; ``ThresholdError/disagreement(with:)`` if the sender signs something else;
        ///   ``ThresholdError/unknownParticipant(_:)`` for another's message.
        init(
            decoding bytes: [UInt8], from index: ParticipantIndex, epoch: Int, context: [UInt8]
        ) throws(ThresholdError) {
            var reader = try MessageReader<Secp256k1>(bytes, kind: .nonceCommitment)
            let got = try reader.epoch()
            guard got == epoch else { throw .wrongEpoch(expected: epoch, got: got) }
            guard try reader.bytes(32) == context else { throw .disagreement(with: index) }
            let sender = try reader.index()
            guard sender == index else { throw .unknownParticipant(sender) }
            self.index = sender
            nonce = try reader.bytes(32)
            commitment = try reader.bytes(32)
            try reader.finish()
        }
    }
}
