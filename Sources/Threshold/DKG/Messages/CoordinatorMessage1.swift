package import Curves

extension DKG {
    /// Step 1, coordinator to all: the participants' messages, with the parts that can be added as sums.
    package struct CoordinatorMessage1<Suite: Ciphersuite>: Equatable, Sendable {
        /// The constant coefficient of each participant, since each has a proof of its own. That of participant i is at
        /// i - 1.
        package var constants: [Suite.Group.Point]
        /// The sums of the other coefficients, t - 1 of them.
        package var sums: [Suite.Group.Point]
        package var proofs: [[UInt8]]
        package var publicNonces: [[UInt8]]
        /// The sums of the encrypted shares for participant i, at i - 1.
        package var encryptedShares: [Scalar<Suite.Group>]

        /// Adds the messages of all participants, in their order.
        init(adding messages: [ParticipantMessage1<Suite>], in session: Session<Suite>) {
            constants = messages.map(\.commitment.constant)
            sums = (1..<max(session.parameters.threshold, 1)).map { power in
                messages.reduce(.identity) { $0 + $1.commitment.coefficients[power] }
            }
            proofs = messages.map(\.proof)
            publicNonces = messages.map(\.publicNonce)
            encryptedShares = (0..<session.parameters.total).map { recipient in
                messages.reduce(.zero) { $0 + $1.encryptedShares[recipient] }
            }
        }

        func transcript(in session: Session<Suite>) -> Transcript<Suite> {
            let constant = constants.reduce(Suite.Group.Point.identity, +)
            return Transcript(
                session: session, sum: PolynomialCommitment(uncheckedCoefficients: [constant] + sums),
                publicNonces: publicNonces, encryptedShares: encryptedShares)
        }

        package func encoded(in session: Session<Suite>) -> [UInt8] {
            var writer = MessageWriter(.coordinatorMessage1, in: session)
            for point in constants + sums { writer.pointOrIdentity(point) }
            for bytes in proofs + publicNonces { writer.bytes(bytes) }
            for share in encryptedShares { writer.scalar(share) }
            return writer.bytes
        }

        /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidElement`` or ``ThresholdError/wrongGroup``.
        package init(decoding bytes: [UInt8], in session: Session<Suite>) throws(ThresholdError) {
            let total = session.parameters.total
            var reader = try MessageReader(bytes, .coordinatorMessage1, in: session)
            constants = try reader.list(total) { reader throws(ThresholdError) in try reader.pointOrIdentity() }
            sums = try reader.list(session.parameters.threshold - 1) { reader throws(ThresholdError) in
                try reader.pointOrIdentity()
            }
            proofs = try reader.list(total) { reader throws(ThresholdError) in
                try reader.bytes(Suite.signatureSize)
            }
            publicNonces = try reader.list(total) { reader throws(ThresholdError) in
                try reader.bytes(Suite.Group.pointSize)
            }
            encryptedShares = try reader.list(total) { reader throws(ThresholdError) in try reader.scalar() }
            try reader.finish()
        }
    }
}
