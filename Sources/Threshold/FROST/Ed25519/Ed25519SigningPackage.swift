public import Curves
internal import Encoding

extension FROST.Ed25519 {
    /// Round 2, coordinator to signers: what is to be signed, under which key, by whom, with which nonces.
    ///
    /// - Warning: the message is what the coordinator asks for. A signer reads and judges it before it calls
    ///   ``Round2/sign(_:with:nonces:)``.
    public struct SigningPackage: Equatable, Sendable {
        /// Names the key, with its present shares: ``GroupKey/fingerprint``.
        public let fingerprint: [UInt8]
        package let list: CommitmentList
        /// What is signed: all of it, since RFC 8032 hashes the message itself.
        public let message: [UInt8]

        /// Asks the signers who made these commitments to sign.
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

        /// Who is to sign, ascending.
        public var signers: [ParticipantIndex] { list.signers }

        /// Checks that the package belongs to the group, and works out the session's values.
        ///
        /// - Throws: ``ThresholdError/wrongGroup``, and as the initialiser.
        func session(in group: GroupKey<Curves.Ed25519>) throws(ThresholdError) -> Session {
            guard fingerprint == group.fingerprint else { throw .wrongGroup }
            try group.parameters.check(signers: list.signers)
            return try Session(list: list, publicKey: group.publicKey, message: message)
        }
    }
}

extension FROST.Ed25519.SigningPackage {
    /// Header, fingerprint, commitments, message. See `docs/formats/threshold-messages.md`.
    public var encoded: [UInt8] {
        var writer = MessageWriter<Curves.Ed25519>(kind: .signingPackage, reserving: 256 + message.count)
        writer.bytes(fingerprint)
        list.write(to: &writer)
        writer.prefixedBytes(message)
        return writer.bytes
    }

    /// Decodes a package, as somebody who has not committed to it reads it.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidParameters``,
    ///   ``ThresholdError/invalidElement`` or ``ThresholdError/duplicateParticipant(_:)``. Whether the package belongs to
    ///   the group is checked when it is used.
    public init(decoding bytes: [UInt8]) throws(ThresholdError) { try self.init(bytes, own: nil) }

    /// Reads a package as the signer does that made one of its commitments: that one is compared with the signer's own.
    ///
    /// - Throws: as ``init(decoding:)``; ``ThresholdError/unknownParticipant(_:)`` if the signer is not asked to sign,
    ///   ``ThresholdError/ownCommitmentMismatch`` if it is with a commitment that it did not make.
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
