extension Sharing {
    /// The data from which a receiver recovers its share with its host key: all dealings, confirmed by all parties.
    ///
    /// It is public, though private: it names the parties. A value of this type is certified: all parties have signed
    /// it, each receiver after checking its share.
    public struct RecoveryData<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        let transcript: Transcript<Suite>
        private let confirmations: [Confirmation<Suite>]

        init(uncheckedTranscript transcript: Transcript<Suite>, confirmations: [Confirmation<Suite>]) {
            self.transcript = transcript
            self.confirmations = confirmations
        }

        /// The session.
        ///
        /// - Warning: Bytes from an unknown source can contain any session that an attacker invented and certified with
        ///   its own parties. Compare the session's hash, or its origin and the key.
        public var session: Session<Suite> { transcript.session }

        /// The key with the new shares.
        public var group: GroupKey<Suite.Group> { transcript.group }

        /// The epoch of the new shares.
        public var epoch: Int { session.epoch }

        /// The identity of the session and its dealings: 32 public bytes, the same for all parties, and unique. It
        /// identifies the pairing of an ECDSA key (`ECDSA.PairSetup.Session`).
        public var identifier: [UInt8] { transcript.hash }

        /// Returns the new share of the receiver with this host key.
        ///
        /// It stays within this package: its type does not name the key's purpose.
        ///
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/foreignHostKey`` if it did not take part,
        ///   ``Fault/wrongRole`` if it received nothing, or ``Fault/suspect(_:_:)`` if it confirmed an invalid
        ///   transcript.
        package func keyShare(
            hostKey: borrowing Sharing.HostKey<Suite>
        ) throws(ThresholdError) -> KeyShare<Suite.Group> {
            guard let party = session.party(of: hostKey.publicKey) else { throw .sharing(.foreignHostKey) }
            guard let index = party.receiver else { throw .sharing(.wrongRole) }
            return try transcript.share(of: index, hostKey)
        }
    }
}

extension Sharing.RecoveryData where Suite: Sharing.SchnorrCiphersuite {
    /// Returns the new share of the receiver with this host key.
    ///
    /// - Throws: ``ThresholdError/sharing(_:)`` with ``Sharing/Fault/foreignHostKey`` if it did not take part,
    ///   ``Sharing/Fault/wrongRole`` if it received nothing, or ``Sharing/Fault/suspect(_:_:)`` if it confirmed an
    ///   invalid transcript.
    public func share(hostKey: borrowing Sharing.HostKey<Suite>) throws(ThresholdError) -> KeyShare<Suite.Group> {
        try keyShare(hostKey: hostKey)
    }
}

extension Sharing.RecoveryData {
    /// The encoding: header, session, openings, confirmations. See `docs/formats/sharing-messages.md`.
    public var encoded: [UInt8] {
        var writer = MessageWriter<Suite.Group>(kind: .sharingRecoveryData, reserving: 8_192)
        writer.prefixedBytes(session.encoded)
        for opening in transcript.encodedOpenings { writer.prefixedBytes(opening) }
        for confirmation in confirmations { confirmation.write(to: &writer) }
        return writer.bytes
    }

    /// Reads recovery data, and verifies all of it that is public: proofs, the old and the new key, all signatures.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)``, the errors of ``Sharing/Session/init(decoding:)``, or
    ///   ``ThresholdError/sharing(_:)`` with ``Sharing/Fault/suspect(_:_:)`` or ``Sharing/Fault/invalidCertificate``.
    public init(decoding bytes: [UInt8]) throws(ThresholdError) {
        var reader = try MessageReader<Suite.Group>(bytes, kind: .sharingRecoveryData)
        let session = try Sharing.Session<Suite>(
            decoding: try reader.prefixedBytes(limit: ThresholdLimits.encodedMessageSize))
        let openings = try reader.openings(of: session.dealers.count)
        var confirmations: [Sharing.Confirmation<Suite>] = []
        for party in session.parties {
            confirmations.append(try Sharing.Confirmation(from: party, reading: &reader))
        }
        try reader.finish()
        let transcript = try Sharing.Transcript(session: session, openings: openings)
        guard transcript.culprits(confirmations).isEmpty else { throw .sharing(.invalidCertificate) }
        self.init(uncheckedTranscript: transcript, confirmations: confirmations)
    }
}
