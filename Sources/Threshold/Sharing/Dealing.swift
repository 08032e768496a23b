internal import Curves
internal import Secrets

extension Sharing {
    /// The computation of a dealer's message.
    enum Dealing<Suite: Sharing.Ciphersuite> {
        /// Returns the seed from which all secrets of the session follow: polynomial and nonce change together, so that
        /// two different shares are never encrypted with the same pad, even if the randomness repeats.
        static func seed(
            in session: Session<Suite>, _ hostKey: borrowing Sharing.HostKey<Suite>, _ random: some RandomSource
        ) throws(ThresholdError) -> SecretBytes {
            let random = SecretBytes(count: 32, from: random)
            guard random.withUnsafeBytes({ $0.contains { $0 != 0 } }) else { throw .sharing(.brokenRandomness) }
            return Suite.hash("sharing seed", secret: .joining(hostKey.encoded(), random), session.hash)
        }

        static func coefficient(_ power: Int, of seed: borrowing SecretBytes) -> SecretScalar<Suite.Group> {
            SecretScalar(reducing: Suite.hash("sharing coefficient", secret: seed, Suite.encode(power)))
        }

        /// Returns a polynomial with this constant coefficient, and its public opening.
        static func opening(
            from dealer: Party, in session: Session<Suite>, _ hostKey: borrowing Sharing.HostKey<Suite>,
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
    /// Returns the message to which a coefficient's proof of possession is bound: the session, the dealer and the
    /// power, so that it is invalid elsewhere.
    func proofMessage(of power: Int, from dealer: Sharing.Party) -> [UInt8] {
        Suite.hash("sharing coefficient proof", hash + Suite.encode(dealer) + Suite.encode(power))
    }

    /// Returns the pads for one dealer's shares.
    func pads(of dealer: Sharing.Party) -> Sharing.Pads<Suite> {
        Sharing.Pads(context: hash + Suite.encode(dealer))
    }

    /// Returns a dealer's commitment to its opening, which contains a salt. 32 bytes.
    func commitment(to opening: [UInt8], from dealer: Sharing.Party) -> [UInt8] {
        Array(Suite.hash("sharing commitment", hash + Suite.encode(dealer) + opening).prefix(32))
    }
}
