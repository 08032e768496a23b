public import Curves
public import Threshold

extension ECDSA {
    /// Round 4, to the coordinator: one signer's partial signature, which is useless alone.
    public struct PartialSignature: Equatable, Sendable {
        /// The identity of the session: 32 public bytes, the same in all partial signatures of one session, and
        /// different in every other session (``Presignature/id``).
        public let id: [UInt8]
        /// The signer.
        public let index: ParticipantIndex
        /// R, which must be the same in all partial signatures.
        let nonce: Secp256k1.Point
        /// w.
        let numerator: Scalar<Secp256k1>
        /// u.
        let denominator: Scalar<Secp256k1>

        init(
            id: [UInt8], index: ParticipantIndex, nonce: Secp256k1.Point, numerator: Scalar<Secp256k1>,
            denominator: Scalar<Secp256k1>
        ) {
            self.id = id
            self.index = index
            self.nonce = nonce
            self.numerator = numerator
            self.denominator = denominator
        }

        /// Returns whether a signature has this part's nonce. Another signature of the same message under the same key
        /// belongs to another session.
        public func isPart(of signature: ECDSASignature) -> Bool {
            signature.r == Scalar<Secp256k1>(reducing: nonce.xOnly)
        }

        /// The encoding: header, session, index, R, w, u. See `docs/formats/ecdsa-messages.md`.
        public var encoded: [UInt8] {
            var writer = MessageWriter<Secp256k1>(kind: .partialSignature)
            writer.bytes(id)
            writer.index(index)
            writer.point(nonce)
            writer.scalar(numerator)
            writer.scalar(denominator)
            return writer.bytes
        }

        /// Decodes the form of ``encoded``.
        ///
        /// - Throws: `ThresholdError.malformed(_:)`, `ThresholdError.invalidParameters` or
        ///   `ThresholdError.invalidElement`.
        public init(decoding bytes: [UInt8]) throws(ThresholdError) {
            var reader = try MessageReader<Secp256k1>(bytes, kind: .partialSignature)
            id = try reader.bytes(32)
            index = try reader.index()
            nonce = try reader.point()
            numerator = try reader.scalar()
            denominator = try reader.scalar()
            try reader.finish()
        }
    }
}
