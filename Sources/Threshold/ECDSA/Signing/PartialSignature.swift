public import Curves

extension ECDSA {
    /// Round 4, to whoever combines: one signer's part of a signature. It is none by itself.
    public struct PartialSignature: Equatable, Sendable {
        /// The identity of the session that made it: 32 bytes, public, the same in all parts of one signature, and unlike those
        /// of every other session (``Presignature/id``).
        public let id: [UInt8]
        /// Who made it.
        public let index: ParticipantIndex
        /// R, in which all parts must agree.
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

        /// Whether a signature has this part's nonce: another one under the same key, of the same message, is one of another
        /// session, and says nothing of this.
        public func isPart(of signature: ECDSASignature) -> Bool {
            signature.r == Scalar<Secp256k1>(reducing: nonce.xOnly)
        }

        /// Header, session, index, R, w, u. See `docs/formats/ecdsa-messages.md`.
        public var encoded: [UInt8] {
            var writer = MessageWriter<Secp256k1>(kind: .partialSignature)
            writer.bytes(id)
            writer.index(index)
            writer.point(nonce)
            writer.scalar(numerator)
            writer.scalar(denominator)
            return writer.bytes
        }

        /// Decodes what ``encoded`` returns.
        ///
        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidParameters`` or
        ///   ``ThresholdError/invalidElement``.
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
