internal import Curves
internal import Secrets

extension Sharing {
    /// How a dealer makes what it deals.
    enum Dealing<Suite: DKG.Ciphersuite> {
        /// All secrets of the session follow from this one: polynomial and nonce change together, so that two different
        /// shares are never encrypted with the same pad, not even if the randomness repeats.
        static func seed(
            in session: Session<Suite>, _ hostKey: borrowing DKG.HostKey<Suite>, _ random: some RandomSource
        ) throws(ThresholdError) -> SecretBytes {
            let random = SecretBytes(count: 32, from: random)
            guard random.withUnsafeBytes({ $0.contains { $0 != 0 } }) else { throw .sharing(.brokenRandomness) }
            return Suite.hash("sharing seed", secret: .joining(hostKey.encoded(), random), session.hash)
        }

        static func coefficient(_ power: Int, of seed: borrowing SecretBytes) -> SecretScalar<Suite.Group> {
            SecretScalar(reducing: Suite.hash("sharing coefficient", secret: seed, Suite.encode(power)))
        }

        /// A polynomial with this constant coefficient, and what all may know of it.
        static func opening(
            from dealer: Party, in session: Session<Suite>, _ hostKey: borrowing DKG.HostKey<Suite>,
            seed: borrowing SecretBytes, constant: borrowing SecretScalar<Suite.Group>
        ) -> Opening<Suite> {
            let polynomial = SecretPolynomial<Suite.Group>(threshold: session.parameters.threshold) { power in
                guard power > 0 else { return constant.clone() }
                return coefficient(power, of: seed)
            }
            let commitment = polynomial.commitment()
            let proofs = commitment.coefficients.enumerated().map { power, coefficient in
                let auxiliary = Suite.hash("sharing auxiliary", secret: seed, Suite.encode(power))
                return polynomial.withCoefficient(power) {
                    Suite.provePossession(
                        of: $0, publicKey: coefficient, message: session.proofMessage(of: power, from: dealer),
                        auxiliary: auxiliary)
                }
            }

            let nonce = SecretScalar<Suite.Group>(reducing: Suite.hash("sharing nonce", secret: seed, []))
            let publicNonce = nonce.timesGenerator()
            let pads = session.pads(of: dealer)
            let encryptedShares = zip(session.parameters.indices, session.receiving).map { recipient, member in
                let share = polynomial.share(of: recipient)
                guard recipient != dealer.receiver else {
                    let pad = pads.own(hostKey: hostKey, index: recipient, publicNonce: publicNonce.encoded)
                    return (share + pad).revealed()
                }
                do {
                    let pad = try pads.outgoing(
                        to: recipient, member.hostKey, nonce: nonce, publicNonce: publicNonce.encoded)
                    return (share + pad).revealed()
                } catch {
                    preconditionFailure("a hash that is zero modulo the group order: never seen")
                }
            }
            let salt = Suite.hash("sharing salt", secret: seed, []).withUnsafeBytes { Array($0.prefix(32)) }
            return Opening(
                salt: salt, polynomial: commitment, proofs: proofs, publicNonce: publicNonce,
                encryptedShares: encryptedShares)
        }
    }
}

extension Sharing.Session {
    /// What a proof of possession of a coefficient is bound to: the session, the dealer and the power, so that it proves
    /// nothing elsewhere.
    func proofMessage(of power: Int, from dealer: Sharing.Party) -> [UInt8] {
        Suite.hash("sharing coefficient proof", hash + Suite.encode(dealer) + Suite.encode(power))
    }

    /// The pads on what one dealer sends.
    func pads(of dealer: Sharing.Party) -> DKG.Pads<Suite> {
        DKG.Pads(context: hash + Suite.encode(dealer), tags: ("sharing ecdh", "sharing own pad"))
    }

    /// A dealer's commitment to its opening, of which the salt is a part. 32 bytes.
    func commitment(to opening: [UInt8], from dealer: Sharing.Party) -> [UInt8] {
        Array(Suite.hash("sharing commitment", hash + Suite.encode(dealer) + opening).prefix(32))
    }
}
