internal import Curves
internal import Encoding

extension Sharing {
    /// All that a receiver needs besides its host key to have its share again: what was dealt, confirmed by all parties.
    ///
    /// It is public, though private: it says who the parties are. A value of this type is certified: all parties have
    /// signed it, each receiver after it checked its share.
    public struct RecoveryData<Suite: DKG.Ciphersuite>: Equatable, Sendable {
        let transcript: Transcript<Suite>
        private let confirmations: [Confirmation<Suite>]

        init(uncheckedTranscript transcript: Transcript<Suite>, confirmations: [Confirmation<Suite>]) {
            self.transcript = transcript
            self.confirmations = confirmations
        }

        /// Who took part in what.
        ///
        /// - Warning: bytes from elsewhere can hold any session that someone has made up, certified by its parties. Compare
        ///   its hash, or its origin and what it comes to: the key.
        public var session: Session<Suite> { transcript.session }

        /// The key with the new shares.
        public var group: GroupKey<Suite.Group> { transcript.group }

        /// How often the shares were renewed.
        public var epoch: Int { session.epoch }

        /// 32 bytes, the same for all parties, that no other session has: they stand for it and all that was dealt in it. Public;
        /// the set-up of an ECDSA key's pairs is named by it (``ECDSA/PairSetup/Session/init(group:epoch:identifier:hostKeys:)``).
        public var identifier: [UInt8] { transcript.hash }

        /// The new share of the receiver with this host key.
        ///
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/foreignHostKey`` if it did not take part,
        ///   ``Fault/wrongRole`` if it received nothing, or ``Fault/suspect(_:_:)`` if it confirmed what it should not have.
        ///
        /// Stays within this package: its type does not tell what the key is for.
        package func keyShare(
            hostKey: borrowing DKG.HostKey<Suite>
        ) throws(ThresholdError) -> KeyShare<Suite.Group> {
            guard let party = session.party(of: hostKey.publicKey) else { throw .sharing(.foreignHostKey) }
            guard let index = party.receiver else { throw .sharing(.wrongRole) }
            return try transcript.share(of: index, hostKey)
        }
    }
}

extension Sharing.RecoveryData where Suite: DKG.SchnorrCiphersuite {
    /// The new share of the receiver with this host key.
    ///
    /// - Throws: ``ThresholdError/sharing(_:)`` with ``Sharing/Fault/foreignHostKey`` if it did not take part,
    ///   ``Sharing/Fault/wrongRole`` if it received nothing, or ``Sharing/Fault/suspect(_:_:)`` if it confirmed what it should not have.
    public func share(hostKey: borrowing DKG.HostKey<Suite>) throws(ThresholdError) -> KeyShare<Suite.Group> {
        try keyShare(hostKey: hostKey)
    }
}

extension Sharing.RecoveryData where Suite == DKG.ECDSA {
    /// The new share of the receiver with this host key, for the set-up of pairs.
    ///
    /// - Throws: ``ThresholdError/sharing(_:)`` with ``Sharing/Fault/foreignHostKey`` if it did not take part,
    ///   ``Sharing/Fault/wrongRole`` if it received nothing, or ``Sharing/Fault/suspect(_:_:)`` if it confirmed what it should not have.
    public func share(hostKey: borrowing DKG.HostKey<DKG.ECDSA>) throws(ThresholdError) -> ECDSA.UnpairedShare {
        ECDSA.UnpairedShare(try keyShare(hostKey: hostKey))
    }
}

extension Sharing.RecoveryData {
    /// Header, session, openings, confirmations. See `docs/formats/sharing-messages.md`.
    public var encoded: [UInt8] {
        var writer = MessageWriter<Suite.Group>(kind: .sharingRecoveryData, reserving: 8_192)
        writer.prefixedBytes(session.encoded)
        for opening in transcript.encodedOpenings { writer.prefixedBytes(opening) }
        for confirmation in confirmations { confirmation.write(to: &writer) }
        return writer.bytes
    }

    /// Reads recovery data, and verifies all of it that is public: proofs, the old and the new key, all signatures.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)``, what ``Sharing/Session/init(decoding:)`` throws, or
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
