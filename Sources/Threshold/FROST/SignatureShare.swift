public import Curves

extension FROST {
    /// Round 2, signer to coordinator: a signer's part of the signature, which is useless alone.
    public struct SignatureShare<Group: Curve>: Equatable, Sendable {
        /// The signer that made it.
        public let index: ParticipantIndex
        package let value: Scalar<Group>

        package init(index: ParticipantIndex, value: Scalar<Group>) {
            self.index = index
            self.value = value
        }

        /// The encoding: header, index, scalar. See `docs/formats/threshold-messages.md`.
        public var encoded: [UInt8] {
            var writer = MessageWriter<Group>(kind: .signatureShare)
            writer.index(index)
            writer.scalar(value)
            return writer.bytes
        }

        /// Decodes the form of ``encoded``.
        ///
        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidParameters`` or
        ///   ``ThresholdError/invalidElement``.
        public init(decoding bytes: [UInt8]) throws(ThresholdError) {
            var reader = try MessageReader<Group>(bytes, kind: .signatureShare)
            index = try reader.index()
            value = try reader.scalar()
            try reader.finish()
        }

        /// Returns whether this share answers the commitment with the signer's share:
        ///
        ///     z·G = D + b·E + c·S
        func answers(
            _ commitment: Commitment<Group>, bindingFactor: Scalar<Group>, coefficient: Scalar<Group>,
            verificationShare: Group.Point
        ) -> Bool {
            Group.Point.generator.multipliedVariableTime(by: value)
                == commitment.hiding + commitment.binding.multipliedVariableTime(by: bindingFactor)
                + verificationShare.multipliedVariableTime(by: coefficient)
        }

        /// Checks that exactly the session's signers sent one share each, and adds the shares up.
        ///
        /// - Throws: ``ThresholdError/unknownParticipant(_:)``, ``ThresholdError/duplicateParticipant(_:)`` or
        ///   ``ThresholdError/missingParticipant(_:)``.
        package static func sum(
            _ shares: [SignatureShare], of signers: [ParticipantIndex]
        ) throws(ThresholdError) -> Scalar<Group> {
            var missing = Set(signers)
            var sum: Scalar<Group> = .zero
            for share in shares {
                guard missing.remove(share.index) != nil else {
                    throw signers.contains(share.index)
                        ? .duplicateParticipant(share.index) : .unknownParticipant(share.index)
                }
                sum = sum + share.value
            }
            if let index = missing.min() { throw .missingParticipant(index) }
            return sum
        }
    }
}
