public import Curves
public import Secrets

extension Sharing {
    /// A participant before a session: it names its host key, and chooses a nonce that makes the session unique.
    public struct Introduction<Suite: Sharing.Ciphersuite>: ~Copyable, Sendable {
        let member: Member<Suite.Group>

        /// Introduces the participant with this host key to a session.
        public init(hostKey: borrowing Sharing.HostKey<Suite>, random: some RandomSource) {
            member = Member(hostKey: hostKey.publicKey, nonce: random.publicBytes(count: 32))
        }

        /// The message for the participants that build the session.
        public var message: [UInt8] { member.introduction(to: Suite.self) }

        /// Takes step 1, for a participant that deals nothing, or a part of a new key.
        ///
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/foreignHostKey``, ``Fault/foreignIntroduction``,
        ///   ``Fault/wrongRole`` or ``Fault/brokenRandomness``.
        public consuming func begin(
            _ session: Session<Suite>, hostKey: borrowing Sharing.HostKey<Suite>, random: some RandomSource
        ) throws(ThresholdError) -> Committed<Suite> {
            let party = try party(in: session, hostKey)
            guard party.dealer != nil else { return Committed(session: session, party: party, opening: nil) }
            guard session.origin == .fresh else { throw .sharing(.wrongRole) }
            let seed = try Dealing<Suite>.seed(in: session, hostKey, random)
            return Committed(
                session: session, party: party,
                opening: Dealing.opening(
                    from: party, in: session, hostKey, seed: seed, constant: Dealing<Suite>.coefficient(0, of: seed)))
        }

        /// Takes step 1, for a participant that deals its old share.
        ///
        /// - Parameters:
        ///   - share: the present share. It does not change, and is still needed if the session fails.
        ///   - epoch: the epoch of the present share.
        /// - Throws: ``ThresholdError/wrongEpoch(expected:got:)`` or ``ThresholdError/wrongGroup`` if it is not one of
        ///   the shares that the session begins from; otherwise as above.
        public consuming func begin(
            _ session: Session<Suite>, hostKey: borrowing Sharing.HostKey<Suite>,
            share: borrowing KeyShare<Suite.Group>,
            epoch: Int, random: some RandomSource
        ) throws(ThresholdError) -> Committed<Suite> {
            let party = try party(in: session, hostKey)
            guard case .shares(let group, let present) = session.origin, party.dealer == share.index else {
                throw .sharing(.wrongRole)
            }
            try share.group.check(epoch, isThatOf: group, present)
            let factor: Scalar<Suite.Group> = Lagrange.coefficient(of: share.index, among: session.dealers)
            return Committed(
                session: session, party: party,
                opening: Dealing.opening(
                    from: party, in: session, hostKey, seed: try Dealing<Suite>.seed(in: session, hostKey, random),
                    constant: share.secret * factor))
        }

        /// Takes step 1, for the participant that deals a whole key.
        ///
        /// - Throws: ``ThresholdError/wrongGroup`` if it is not the secret of the session's public key; otherwise as
        ///   above.
        public consuming func begin(
            _ session: Session<Suite>, hostKey: borrowing Sharing.HostKey<Suite>,
            whole secret: borrowing SecretScalar<Suite.Group>, random: some RandomSource
        ) throws(ThresholdError) -> Committed<Suite> {
            let party = try party(in: session, hostKey)
            guard case .whole(let publicKey) = session.origin, party.dealer != nil else { throw .sharing(.wrongRole) }
            guard secret.timesGenerator() == publicKey else { throw .wrongGroup }
            return Committed(
                session: session, party: party,
                opening: Dealing.opening(
                    from: party, in: session, hostKey, seed: try Dealing<Suite>.seed(in: session, hostKey, random),
                    constant: secret.clone()))
        }

        /// Returns this participant's party. A session with another nonce than the one chosen for it may be an old one.
        private borrowing func party(
            in session: Session<Suite>, _ hostKey: borrowing Sharing.HostKey<Suite>
        ) throws(ThresholdError) -> Party {
            guard hostKey.publicKey == member.hostKey, let party = session.party(of: member.hostKey) else {
                throw .sharing(.foreignHostKey)
            }
            guard session.member(party) == member else { throw .sharing(.foreignIntroduction) }
            return party
        }
    }
}

extension GroupKey {
    /// Checks that shares of this key are the expected ones.
    ///
    /// - Throws: ``ThresholdError/wrongEpoch(expected:got:)`` if they are of the same key and, as stated, of another
    ///   epoch; else ``ThresholdError/wrongGroup``.
    func check(_ epoch: Int, isThatOf expected: GroupKey, _ expectedEpoch: Int) throws(ThresholdError) {
        guard publicKey == expected.publicKey else { throw .wrongGroup }
        guard epoch == expectedEpoch else { throw .wrongEpoch(expected: expectedEpoch, got: epoch) }
        guard self == expected else { throw .wrongGroup }
    }
}

extension Sharing.Member {
    /// Returns header, purpose, host key, nonce.
    package func introduction<Suite: Sharing.Ciphersuite>(to _: Suite.Type) -> [UInt8] where Suite.Group == Group {
        var writer = MessageWriter<Group>(kind: .introduction)
        writer.purpose(of: Suite.self)
        writer.member(self)
        return writer.bytes
    }

    package init<Suite: Sharing.Ciphersuite>(introduction bytes: [UInt8], to _: Suite.Type) throws(ThresholdError)
    where Suite.Group == Group {
        var reader = try MessageReader<Group>(bytes, kind: .introduction)
        try reader.purpose(of: Suite.self)
        self = try reader.member()
        try reader.finish()
    }
}
