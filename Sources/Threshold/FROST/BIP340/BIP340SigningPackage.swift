public import Curves
internal import Encoding

extension FROST.BIP340 {
    /// Round 2, coordinator to signers: the message, the key, the signers, and their nonces.
    ///
    /// - Warning: The message and the tweaks are the coordinator's claim. A signer reads and judges them before it
    ///   calls ``Round2/sign(_:with:nonces:)``.
    public struct SigningPackage: Equatable, Sendable {
        /// The fingerprint of the key with its present shares: ``GroupKey/fingerprint``.
        public let fingerprint: [UInt8]
        package let list: CommitmentList
        /// The tweaks from the group key to the key that signs, in this order.
        public let tweaks: [Tweak]
        /// The message: 32 bytes for a Bitcoin transaction, any number in BIP-340.
        public let message: [UInt8]

        /// Makes a package for the signers of these commitments.
        ///
        /// - Throws: ``ThresholdError/duplicateParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``,
        ///   ``ThresholdError/tooFewSigners(needed:)``, ``ThresholdError/invalidTweak``, or
        ///   ``ThresholdError/malformed(_:)`` if the message is too long.
        public init(
            group: GroupKey<Secp256k1>, commitments: [Commitment], tweaks: [Tweak], message: [UInt8]
        ) throws(ThresholdError) {
            guard message.count <= ThresholdLimits.messageSize else {
                throw .malformed(.tooLong(limit: ThresholdLimits.messageSize))
            }
            guard tweaks.count <= ThresholdLimits.tweaks else { throw .invalidTweak }
            fingerprint = group.fingerprint
            list = try CommitmentList(commitments)
            try group.parameters.check(signers: list.signers)
            self.tweaks = tweaks
            self.message = message
        }

        /// The signers, ascending.
        public var signers: [ParticipantIndex] { list.signers }

        /// Checks that the package belongs to the group, and computes the session's values.
        ///
        /// - Throws: ``ThresholdError/wrongGroup``, and as the initialiser.
        func session(in group: GroupKey<Secp256k1>) throws(ThresholdError) -> Session {
            guard fingerprint == group.fingerprint else { throw .wrongGroup }
            try group.parameters.check(signers: list.signers)
            let key = try TweakedKey(group.publicKey, tweaks: tweaks)
            return Session(signers: signers, nonces: AggregateNonce(list.commitments), key: key, message: message)
        }
    }
}

extension FROST.BIP340.SigningPackage {
    /// The encoding: header, fingerprint, commitments, tweaks, message. See `docs/formats/threshold-messages.md`.
    public var encoded: [UInt8] {
        var writer = MessageWriter<Secp256k1>(kind: .signingPackage, reserving: 256 + message.count)
        writer.bytes(fingerprint)
        list.write(to: &writer)
        writer.count(tweaks.count)
        for tweak in tweaks { tweak.write(to: &writer) }
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
    public init(decoding bytes: [UInt8], own: FROST.BIP340.Commitment) throws(ThresholdError) {
        try self.init(bytes, own: own)
    }

    private init(_ bytes: [UInt8], own: FROST.BIP340.Commitment?) throws(ThresholdError) {
        var reader = try MessageReader<Secp256k1>(bytes, kind: .signingPackage)
        fingerprint = try reader.bytes(32)
        list = try FROST.BIP340.CommitmentList(from: &reader, own: own)
        var tweaks: [FROST.BIP340.Tweak] = []
        for _ in 0..<(try reader.count(0...ThresholdLimits.tweaks)) {
            tweaks.append(try FROST.BIP340.Tweak(from: &reader))
        }
        self.tweaks = tweaks
        message = try reader.prefixedBytes(limit: ThresholdLimits.messageSize)
        try reader.finish()
    }
}
