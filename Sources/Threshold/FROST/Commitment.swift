public import Curves

extension FROST {
    /// Round 1, signer to coordinator: the public parts of a signer's two nonces.
    ///
    /// In BIP-445 this is `pubnonce`; in RFC 9591 the hiding and the binding nonce commitment.
    public struct Commitment<Group: Curve>: Equatable, Sendable {
        /// The signer that made it.
        public let index: ParticipantIndex
        /// The commitment to the hiding nonce (RFC 9591, section 5.1).
        public let hiding: Group.Point
        /// The commitment to the binding nonce (RFC 9591, section 5.1).
        public let binding: Group.Point

        package init(index: ParticipantIndex, hiding: Group.Point, binding: Group.Point) {
            self.index = index
            self.hiding = hiding
            self.binding = binding
        }

        /// The encoding: header, index, hiding and binding point. See `docs/formats/threshold-messages.md`.
        public var encoded: [UInt8] {
            var writer = MessageWriter<Group>(kind: .commitment)
            write(to: &writer)
            return writer.bytes
        }

        /// Decodes the form of ``encoded``.
        ///
        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidParameters`` or
        ///   ``ThresholdError/invalidElement``: a point that is the identity, off the curve or of small order is refused.
        public init(decoding bytes: [UInt8]) throws(ThresholdError) {
            var reader = try MessageReader<Group>(bytes, kind: .commitment)
            try self.init(from: &reader)
            try reader.finish()
        }

        func write(to writer: inout MessageWriter<Group>) {
            writer.index(index)
            writer.point(hiding)
            writer.point(binding)
        }

        /// - Throws: also ``ThresholdError/ownCommitmentMismatch`` for a commitment with the index of `own` that
        ///   differs from it.
        init(from reader: inout MessageReader<Group>, own: Commitment? = nil) throws(ThresholdError) {
            let index = try reader.index()
            guard let own, own.index == index else {
                self.init(index: index, hiding: try reader.point(), binding: try reader.point())
                return
            }
            guard try reader.bytes(Group.pointSize) == own.hiding.encoded,
                try reader.bytes(Group.pointSize) == own.binding.encoded
            else { throw .ownCommitmentMismatch }
            self = own
        }
    }
}
