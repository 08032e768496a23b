internal import Curves
internal import Encoding

extension DKG {
    /// The data from which a participant recovers its share with its host key: the transcript, signed by all.
    ///
    /// It is public, though private: it names the participants. A value of this type is certified: all participants
    /// have signed it, each after checking its share, so the key is good.
    public struct RecoveryData<Suite: Ciphersuite>: Equatable, Sendable {
        private let transcript: Transcript<Suite>
        private let signatures: [[UInt8]]

        init(uncheckedTranscript transcript: Transcript<Suite>, signatures: [[UInt8]]) {
            self.transcript = transcript
            self.signatures = signatures
        }

        /// The session.
        ///
        /// - Warning: Bytes from an unknown source can contain any session that an attacker invented and certified with
        ///   its own participants. Compare the session's hash, or the group key.
        public var session: Session<Suite> { transcript.session }

        /// Returns the public half of the key (ChillDKG `coordinator_recover`).
        ///
        /// - Throws: ``ThresholdError/inconsistentKey`` if the participants have certified an invalid key.
        public func group() throws(ThresholdError) -> GroupKey<Suite.Group> { try transcript.result().group }

        /// Returns the share of the participant with this host key (ChillDKG `participant_recover`).
        ///
        /// It stays within this package: its type does not name the key's purpose.
        ///
        /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/foreignHostKey`` if it did not take part;
        ///   ``ThresholdError/inconsistentKey`` or ``DKG/Fault/suspect(_:)`` if it signed an invalid transcript.
        package func keyShare(hostKey: borrowing HostKey<Suite>) throws(ThresholdError) -> KeyShare<Suite.Group> {
            guard let index = session.index(of: hostKey.publicKey) else { throw .keyGeneration(.foreignHostKey) }
            let (group, tweak) = try transcript.result()
            let decrypted = try transcript.decrypt(as: index, hostKey)
            return try KeyShare(index: index, secret: decrypted + tweak, group: group)
        }
    }
}

extension DKG.RecoveryData where Suite: DKG.SchnorrCiphersuite {
    /// Returns the share of the participant with this host key (ChillDKG `participant_recover`).
    ///
    /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/foreignHostKey`` if it did not take part;
    ///   ``ThresholdError/inconsistentKey`` or ``DKG/Fault/suspect(_:)`` if it signed an invalid transcript.
    public func share(hostKey: borrowing DKG.HostKey<Suite>) throws(ThresholdError) -> KeyShare<Suite.Group> {
        try keyShare(hostKey: hostKey)
    }
}

extension DKG.RecoveryData {
    /// The encoding: header, then the draft's recovery data. See `docs/formats/dkg-messages.md`.
    public var encoded: [UInt8] {
        var writer = MessageWriter<Suite.Group>(kind: .recoveryData, reserving: 192 * (session.parameters.total + 1))
        writer.bytes(transcript.encoded)
        for signature in signatures { writer.bytes(signature) }
        return writer.bytes
    }

    /// Reads recovery data, and verifies the signatures of all participants.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)``, ``ThresholdError/invalidElement``,
    ///   ``ThresholdError/invalidParameters``, or ``ThresholdError/keyGeneration(_:)`` with
    ///   ``DKG/Fault/invalidHostKey(of:)``, ``DKG/Fault/duplicateHostKey(of:and:)`` or ``DKG/Fault/invalidCertificate``.
    public init(decoding bytes: [UInt8]) throws(ThresholdError) {
        let point = Suite.Group.pointSize
        var reader = try MessageReader<Suite.Group>(bytes, kind: .recoveryData)
        let threshold = try reader.bytes(4).reduce(0) { $0 << 8 | Int($1) }
        guard threshold <= ThresholdLimits.participants else { throw .invalidParameters }
        let sum = PolynomialCommitment<Suite.Group>(
            uncheckedCoefficients: try reader.list(threshold) { reader throws(ThresholdError) in
                try reader.pointOrIdentity()
            })
        // The number of participants follows from the size, so no byte can be left over.
        let (total, remainder) = (bytes.count - 7 - threshold * point)
            .quotientAndRemainder(dividingBy: 2 * point + scalarSize + Suite.signatureSize)
        guard remainder == 0 else { throw .malformed(.truncated) }
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        let hostKeys = try reader.list(total) { reader throws(ThresholdError) in try reader.bytes(point) }
        let publicNonces = try reader.list(total) { reader throws(ThresholdError) in try reader.bytes(point) }
        let encryptedShares = try reader.list(total) { reader throws(ThresholdError) in try reader.scalar() }
        let signatures = try reader.list(total) { reader throws(ThresholdError) in
            try reader.bytes(Suite.signatureSize)
        }

        let transcript = DKG.Transcript(
            session: try DKG.Session<Suite>(parameters: parameters, hostKeys: hostKeys), sum: sum,
            publicNonces: publicNonces, encryptedShares: encryptedShares)
        guard transcript.culprits(signatures: signatures).isEmpty else { throw .keyGeneration(.invalidCertificate) }
        self.init(uncheckedTranscript: transcript, signatures: signatures)
    }
}
