internal import Curves
public import Secrets

extension ECDSA {
    /// A signer after its first message: it has committed to its part of the nonce, and awaits the others' commitments.
    ///
    /// Each round's state is used up by the message that it answers. None can be copied or stored: what fails is over, and
    /// what was signed with is gone.
    public struct Round1: ~Copyable, Sendable {
        /// To all signers.
        public let message: [UInt8]

        private let session: SigningSession
        private let commitment: NonceCommitment
        private let secrets: SignerSecrets
        private let admission: SecretMemory.Admission

        /// What a session holds of each other signer while it waits for the third messages: the columns of the extension, and
        /// scalars. And what it holds once: its own scalars, and the root of its randomness.
        static let memoryOfPeer = ExtensionShape.signing.words * 8 + 16 * admittedScalar
        static let memory = 16 * admittedScalar

        /// Begins to sign, or to prepare a signature.
        ///
        /// - Parameter session: what names the session and the signature in it, which this signer does not begin a second time. It
        ///   is bound into the nonces: those of a machine that was set back to a snapshot, and whose randomness repeats, are
        ///   still others in a session of another name.
        /// - Throws: ``ThresholdError/unknownParticipant(_:)`` if this share is not among the signers or another does not
        ///   belong, ``ThresholdError/tooFewSigners(needed:)``, ``ThresholdError/tooManySigners(needed:)``,
        ///   ``ThresholdError/invalidTweak``, ``ThresholdError/banned(_:)`` if one of the signers has cheated before,
        ///   ``ThresholdError/outdatedShare`` before the shares are renewed,
        ///   ``ThresholdError/exhausted(_:)`` if too many sessions are open.
        public init(
            _ share: borrowing KeyShare, _ request: SigningRequest, in session: [UInt8], random: some RandomSource
        ) throws(ThresholdError) {
            let group = share.key.group
            let index = share.key.index
            try request.check(for: group.parameters)
            guard request.signers.contains(index) else { throw .unknownParticipant(index) }
            _ = try request.publicKey(of: group)
            var pairs: [Pair] = []
            for peer in request.signers where peer != index { pairs.append(try share.pair(with: peer)) }
            admission = try admit(Self.memory + pairs.count * Self.memoryOfPeer, as: .session)
            self.session = SigningSession(
                request: request, group: group, index: index, epoch: share.epoch,
                context: request.context(group: group, setup: share.setup, epoch: share.epoch), pairs: pairs)

            let randomness = SignerRandomness(
                fresh: SecretBytes(count: 32, from: random), share: share.key.secret,
                context: self.session.context, session: session)
            let sessionNonce = randomness.sessionNonce()
            secrets = SignerSecrets(
                share: share.key.secret * Lagrange.coefficient(of: index, among: request.signers, in: Secp256k1.self),
                randomness: randomness)
            commitment = NonceCommitment(
                index: index, nonce: sessionNonce,
                commitment: NonceCommitment.commitment(
                    to: secrets.nonce.timesGenerator(), salt: secrets.salt, nonce: sessionNonce, by: index,
                    in: self.session.context))
            message = commitment.encoded(epoch: self.session.epoch, context: self.session.context)
        }

        /// The first messages of all signers, which ``read(_:)`` found to be of this session.
        public struct Received: Sendable {
            fileprivate let own: [UInt8]
            fileprivate let commitments: [NonceCommitment]
        }

        /// Reads the first messages of all signers, its own among them, and uses nothing up: a stray message does not end the
        /// session.
        ///
        /// - Throws: ``ThresholdError/missingParticipant(_:)``, ``ThresholdError/unknownParticipant(_:)``,
        ///   ``ThresholdError/malformed(_:)``, ``ThresholdError/wrongEpoch(expected:got:)``,
        ///   ``ThresholdError/disagreement(with:)``, ``ThresholdError/ownCommitmentMismatch``.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received {
            guard messages[session.index] == message else { throw .ownCommitmentMismatch }
            let (epoch, context) = (session.epoch, session.context)
            let received = try session.decode(messages) { bytes, pair throws(ThresholdError) in
                try NonceCommitment(decoding: bytes, from: pair.peer, epoch: epoch, context: context)
            }
            return Received(own: message, commitments: received)
        }

        /// Round 2: with the first messages of all signers the session has an identity.
        public consuming func receive(_ received: Received) -> Round2 {
            precondition(received.own == message, "messages that another session has read")
            let session = session
            let all = (received.commitments + [commitment]).sorted { $0.index < $1.index }
            let identity = NonceCommitment.session(all, in: session.context)
            return Round2(
                AgreedSession(base: session, identity: identity, commitments: received.commitments),
                secrets: secrets.joined(to: identity), admission: admission)
        }

        /// Reads the messages and goes on to round 2, in one step: any wrong message ends the session.
        ///
        /// - Throws: as ``read(_:)``.
        public consuming func receive(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Round2 {
            let received = try read(messages)
            return receive(received)
        }
    }
}
