internal import Curves
public import Secrets

extension DKG {
    /// A participant after step 1: it has made its part of the key, and waits for the others'.
    public struct Contribution<Suite: Ciphersuite>: ~Copyable, Sendable {
        /// The session that this contribution is for.
        public let session: Session<Suite>
        /// This participant's index: the position of its host key in the session.
        public let index: ParticipantIndex
        /// The message for the coordinator. It contains nothing secret, since the shares in it are encrypted.
        public let message: [UInt8]

        /// The point of this participant's own secret. Another point in its place is refused.
        private let constant: Suite.Group.Point
        private let publicNonce: [UInt8]

        /// Step 1 (ChillDKG `participant_step1`).
        ///
        /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/foreignHostKey`` or
        ///   ``DKG/Fault/brokenRandomness``.
        public init(
            hostKey: borrowing HostKey<Suite>, session: Session<Suite>, random: some RandomSource
        ) throws(ThresholdError) {
            guard let index = session.index(of: hostKey.publicKey) else { throw .keyGeneration(.foreignHostKey) }
            let random = SecretBytes(count: 32, from: random)
            guard random.withUnsafeBytes({ $0.contains { $0 != 0 } }) else { throw .keyGeneration(.brokenRandomness) }

            // All secrets of the session follow from this one: shares and nonce change together, so that two different
            // shares are never encrypted with the same pad, even if the randomness repeats.
            let seed = Suite.hash("encpedpop seed", secret: .joining(hostKey.encoded(), random), session.context)
            let nonce = SecretScalar<Suite.Group>(reducing: Suite.hash("encpedpop secnonce", secret: seed, []))
            let publicNonce = nonce.timesGenerator().encoded
            let polynomial = SecretPolynomial<Suite.Group>(threshold: session.parameters.threshold) { power in
                SecretScalar(reducing: Suite.hash("vss coeffs", secret: seed, Suite.encode(power)))
            }

            let commitment = polynomial.commitment()
            let auxiliary = Suite.hash("simplpedpop aux", secret: seed, [])
            let proof = polynomial.withConstant {
                Suite.provePossession(
                    of: $0, publicKey: commitment.constant, message: Suite.encode(index), auxiliary: auxiliary)
            }

            let pads = Pads(session: session)
            var encryptedShares: [Scalar<Suite.Group>] = []
            for recipient in session.parameters.indices {
                let share = polynomial.share(of: recipient)
                guard recipient != index else {
                    // A hash of the host key suffices here, without a Diffie-Hellman exchange with oneself.
                    let pad = pads.own(hostKey: hostKey, index: index, publicNonce: publicNonce)
                    encryptedShares.append((share + pad).revealed())
                    continue
                }
                do {
                    let pad = try pads.outgoing(
                        to: recipient, session.hostKey(of: recipient), nonce: nonce, publicNonce: publicNonce)
                    encryptedShares.append((share + pad).revealed())
                } catch {
                    preconditionFailure("a hash that is zero modulo the group order: never seen")
                }
            }

            self.session = session
            self.index = index
            self.constant = commitment.constant
            self.publicNonce = publicNonce
            message = ParticipantMessage1<Suite>(
                commitment: commitment, proof: proof, publicNonce: publicNonce, encryptedShares: encryptedShares
            ).encoded(from: index, in: session)
        }
    }
}

extension DKG.Contribution {
    /// Takes step 2 (ChillDKG `participant_step2`): checks what all participants have sent, and signs it.
    ///
    /// After the resulting message was sent, the session may succeed for others, whatever happens to this participant:
    /// keep the host key from then on.
    ///
    /// - Parameter message: the coordinator's message.
    /// - Throws: ``ThresholdError/keyGeneration(_:)`` with ``DKG/Fault/foreignHostKey``, ``DKG/Fault/coordinator`` or
    ///   ``DKG/Fault/suspect(_:)``.
    public consuming func receive(
        _ message: [UInt8], hostKey: borrowing DKG.HostKey<Suite>, random: some RandomSource
    ) throws(ThresholdError) -> DKG.Reception<Suite> {
        guard hostKey.publicKey == session.hostKey(of: index) else { throw .keyGeneration(.foreignHostKey) }
        let received: DKG.CoordinatorMessage1<Suite>
        do { received = try DKG.CoordinatorMessage1(decoding: message, in: session) } catch {
            throw .keyGeneration(.coordinator)
        }
        // The coordinator has passed on this participant's own values.
        guard received.publicNonces[index.value - 1] == publicNonce, received.constants[index.value - 1] == constant
        else { throw .keyGeneration(.coordinator) }

        let transcript = received.transcript(in: session)
        let decrypted = try transcript.decrypt(as: index, hostKey)

        // Each other participant knows its own secret: otherwise it could have chosen it to cancel those of the rest.
        for (other, (constant, proof)) in zip(session.parameters.indices, zip(received.constants, received.proofs))
        where other != index {
            guard Suite.isProofOfPossession(proof, of: constant, message: Suite.encode(other)) else {
                throw .keyGeneration(.suspect(other))
            }
        }

        let share: KeyShare<Suite.Group>
        do {
            // The polynomials add up to a key, and the shares to a share of it. This is checked after the tweak, which
            // is added to both.
            let (group, tweak) = try transcript.result()
            share = try KeyShare(index: index, secret: decrypted + tweak, group: group)
        } catch { return .wrongShare(DKG.Investigation(transcript: transcript, index: index)) }

        let signature = try transcript.sign(as: index, hostKey, auxiliary: SecretBytes(count: 32, from: random))
        return .pending(
            DKG.PendingShare(share: share, transcript: transcript, signature: signature))
    }
}
