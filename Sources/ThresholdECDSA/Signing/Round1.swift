internal import Curves
public import Secrets
public import Threshold

extension ECDSA {
    /// A signer after its first message: it has committed to its part of the nonce, and waits for the others'
    /// commitments.
    ///
    /// Answering messages consumes the state of a round. No state can be copied or stored: after a failure the session
    /// is over, and used nonces are gone. If others decide how many rounds there are, reserve their memory first
    /// (``admit(signatures:signers:)``).
    public struct Round1: ~Copyable, Sendable {
        /// The message for all signers.
        public let message: [UInt8]

        private let session: SigningSession
        private let commitment: NonceCommitment
        private let secrets: SignerSecrets

        /// Begins to sign, or to make a presignature.
        ///
        /// - Parameter session: the name of the session and the signature in it, which this signer never uses twice.
        ///   The nonces are bound to it: if a machine is restored from a snapshot and its randomness repeats, the
        ///   nonces still differ in a session with another name.
        /// - Throws: `ThresholdError.unknownParticipant(_:)` if this share is not among the signers, or another
        ///   signer is not in the group, `ThresholdError.tooFewSigners(needed:)`,
        ///   `ThresholdError.tooManySigners(needed:)`, `ThresholdError.invalidTweak`, `ThresholdError.banned(_:)`
        ///   if one of the signers has cheated before,
        ///   `ThresholdError.outdatedShare` before the next renewal.
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

        /// The first messages of all signers, known to be of this session.
        public struct Received: Sendable {
            fileprivate let own: [UInt8]
            fileprivate let commitments: [NonceCommitment]
        }

        /// Reads the first messages of all signers, its own included, without changing the state: a stray message does
        /// not end the session.
        ///
        /// - Throws: `ThresholdError.missingParticipant(_:)`, `ThresholdError.unknownParticipant(_:)`,
        ///   `ThresholdError.malformed(_:)`, `ThresholdError.wrongEpoch(expected:got:)`,
        ///   `ThresholdError.disagreement(with:)`, `ThresholdError.ownCommitmentMismatch`.
        public borrowing func read(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received {
            guard messages[session.index] == message else { throw .ownCommitmentMismatch }
            let (epoch, context) = (session.epoch, session.context)
            let received = try session.decode(messages) { bytes, pair throws(ThresholdError) in
                try NonceCommitment(decoding: bytes, from: pair.peer, epoch: epoch, context: context)
            }
            return Received(own: message, commitments: received)
        }

        /// Continues with round 2: the first messages of all signers determine the session's identity.
        public consuming func receive(_ received: Received) -> Round2 {
            precondition(received.own == message, "messages that another session has read")
            let session = session
            let all = (received.commitments + [commitment]).sorted { $0.index < $1.index }
            let identity = NonceCommitment.session(all, in: session.context)
            return Round2(
                AgreedSession(base: session, identity: identity, commitments: received.commitments),
                secrets: secrets.joined(to: identity))
        }

        /// Reads the messages and continues with round 2, in one call: any wrong message ends the session.
        ///
        /// - Throws: as ``read(_:)``.
        public consuming func receive(_ messages: [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Round2 {
            let received = try read(messages)
            return receive(received)
        }
    }
}
