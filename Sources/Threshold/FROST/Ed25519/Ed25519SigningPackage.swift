public import Curves
internal import Encoding

extension FROST.Ed25519 {
    /// Round 2, coordinator to signers: the message, the key, the signers, and their nonces.
    ///
    /// - Warning: The message is the coordinator's claim. A signer reads and judges it before it calls
    ///   ``Round2/sign(_:with:nonces:)``.
    public struct SigningPackage: Equatable, Sendable {
        /// The fingerprint of the key with its present shares: ``GroupKey/fingerprint``.
        public let fingerprint: [UInt8]
        package let list: CommitmentList
        /// The whole message, since RFC 8032 hashes it itself.
        public let message: [UInt8]

        /// Makes a package for the signers of these commitments.
        ///
        /// - Throws: ``ThresholdError/duplicateParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``,
        ///   ``ThresholdError/tooFewSigners(needed:)``, or ``ThresholdError/malformed(_:)`` if the message is too long.
        public init(
            group: GroupKey<Curves.Ed25519>, commitments: [Commitment], message: [UInt8]
        ) throws(ThresholdError) {
            guard message.count <= ThresholdLimits.messageSize else {
                throw .malformed(.tooLong(limit: ThresholdLimits.messageSize))
            }
            fingerprint = group.fingerprint
            list = try CommitmentList(commitments)
            try group.parameters.check(signers: list.signers)
            self.message = message
        }

        /// The signers, ascending.
        public var signers: [ParticipantIndex] { list.signers }

        /// Checks that the package belongs to the group, and computes the session's values.
        ///
        /// - Throws: ``ThresholdError/wrongGroup``, and as the initialiser.
        func session(in group: GroupKey<Curves.Ed25519>) throws(ThresholdError) -> Session {
            guard fingerprint == group.fingerprint else { throw .wrongGroup }
            try group.parameters.check(signers: list.signers)
            return try Session(list: list, publicKey: group.publicKey, message: message)
        }

        /// Returns R, with which every signature of this package begins: 32 bytes.
        ///
        /// - Throws: as ``Round2/sign(_:with:nonces:)`` if the package does not fit the group.
        package func nonce(in group: GroupKey<Curves.Ed25519>) throws(ThresholdError) -> [UInt8] {
            try session(in: group).nonce.encoded
        }
    }
}

extension FROST.Ed25519.SigningPackage {
    /// The encoding: header, fingerprint, commitments, message. See `docs/formats/threshold-messages.md`.
    public var encoded: [UInt8] {
        var writer = MessageWriter<Curves.Ed25519>(kind: .signingPackage, reserving: 256 + message.count)
        writer.bytes(fingerprint)
        list.write(to: &writer)
        writer.prefixedBytes(message)
        return writer.bytes
    }

    /// Decodes a package, for a reader that has not committed to it.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidParameters``,
    ///   ``ThresholdError/invalidElement`` or ``ThresholdError/duplicateParticipant(_:)``. Whether the package belongs to
    ///   the group is checked when it is used.
    public init(decoding bytes: [UInt8]) throws(ThresholdError) { try self.init(bytes, own: nil) }

    /// Decodes a package for a signer of it, and compares that signer's commitment with the signer's own.
    ///
    /// - Throws: as ``init(decoding:)``; ``ThresholdError/unknownParticipant(_:)`` if the signer is not in the package,
    ///   ``ThresholdError/ownCommitmentMismatch`` if its commitment there is not its own.
    public init(decoding bytes: [UInt8], own: FROST.Ed25519.Commitment) throws(ThresholdError) {
        try self.init(bytes, own: own)
    }

    private init(_ bytes: [UInt8], own: FROST.Ed25519.Commitment?) throws(ThresholdError) {
        var reader = try MessageReader<Curves.Ed25519>(bytes, kind: .signingPackage)
        fingerprint = try reader.bytes(32)
        list = try FROST.Ed25519.CommitmentList(from: &reader, own: own)
        message = try reader.prefixedBytes(limit: ThresholdLimits.messageSize)
        try reader.finish()
    }
}
