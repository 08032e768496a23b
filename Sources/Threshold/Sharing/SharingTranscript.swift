internal import Curves
internal import Secrets

extension Sharing {
    /// What all dealers have dealt, checked by everything that is public about it.
    ///
    /// A value of this type is good: each dealer knows its whole polynomial, of the right degree, deals what it must, and
    /// the sum is a key, which is the old one if there was one. What is left to be checked is one's own share.
    struct Transcript<Suite: DKG.Ciphersuite>: Equatable, Sendable {
        let session: Session<Suite>
        /// As they were sent, in the order of the dealers.
        let encodedOpenings: [[UInt8]]
        let openings: [Opening<Suite>]
        /// The key, with the new shares.
        let group: GroupKey<Suite.Group>
        /// 32 bytes that stand for the session and everything that was dealt, commitments and openings.
        let hash: [UInt8]

        /// - Parameters:
        ///   - openings: of as many dealers as the session has.
        ///   - party: whose own proofs need not be checked, if it is a dealer.
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/suspect(_:_:)``, or ``ThresholdError/inconsistentKey``.
        init(
            session: Session<Suite>, openings encoded: [[UInt8]], trusting party: Party? = nil
        ) throws(ThresholdError) {
            var openings: [Opening<Suite>] = []
            for (dealer, bytes) in zip(session.dealing, encoded) {
                let opening: Opening<Suite>
                do { opening = try Opening(decoding: bytes, from: dealer, in: session) } catch {
                    throw .sharing(.suspect(dealer, .malformed))
                }
                if dealer != party, let offence = session.offence(in: opening, from: dealer) {
                    throw .sharing(.suspect(dealer, offence))
                }
                openings.append(opening)
            }
            self.session = session
            self.openings = openings
            encodedOpenings = encoded
            group = try session.group(of: openings.map(\.polynomial))

            var bytes = session.hash
            for (dealer, opening) in zip(session.dealing, encoded) {
                bytes += session.commitment(to: opening, from: dealer)
                bytes += Suite.encode(opening.count) + opening
            }
            hash = Array(Suite.hash("sharing transcript", bytes).prefix(32))
        }

        /// Decrypts what all dealers sent to this receiver, and checks it dealer by dealer (Feldman).
        ///
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/suspect(_:_:)``.
        func share(
            of index: ParticipantIndex, _ hostKey: borrowing DKG.HostKey<Suite>
        ) throws(ThresholdError) -> KeyShare<Suite.Group> {
            var sum = SecretScalar<Suite.Group>(.zero)
            for (dealer, opening) in zip(session.dealing, openings) {
                let pads = session.pads(of: dealer)
                let publicNonce = opening.publicNonce.encoded
                let pad: SecretScalar<Suite.Group>
                if dealer.receiver == index {
                    pad = pads.own(hostKey: hostKey, index: index, publicNonce: publicNonce)
                } else {
                    do {
                        pad = try pads.incoming(hostKey: hostKey, recipient: index, publicNonce: publicNonce)
                    } catch { throw .sharing(.suspect(dealer, .malformed)) }
                }
                let share = SecretScalar(opening.encryptedShares[index.value - 1]) - pad
                guard share.timesGenerator() == opening.polynomial.share(of: index) else {
                    throw .sharing(.suspect(dealer, .share))
                }
                sum = sum + share
            }
            return try KeyShare(index: index, secret: sum, group: group)
        }
    }
}

extension Sharing.Session {
    /// What is wrong with what this dealer has dealt, by everything that is public about it.
    func offence(in opening: Sharing.Opening<Suite>, from dealer: Sharing.Party) -> Sharing.Offence? {
        // One coefficient more would raise the threshold without anyone's knowledge, and the key would be lost.
        guard opening.polynomial.coefficients.count == parameters.threshold else { return .degree }
        // For each coefficient, not only the constant: what is proven of threshold ECDSA supposes that dealers know their
        // polynomials.
        for (power, (coefficient, proof)) in zip(opening.polynomial.coefficients, opening.proofs).enumerated() {
            guard Suite.isProofOfPossession(proof, of: coefficient, message: proofMessage(of: power, from: dealer))
            else { return .proof(power: power) }
        }
        if let index = dealer.dealer, let constant = origin.constant(of: index, among: dealers) {
            guard opening.polynomial.constant == constant else { return .constant }
        }
        return nil
    }

    /// The key that the dealt polynomials add up to.
    ///
    /// - Throws: ``ThresholdError/inconsistentKey`` if it is none, or not the one that there was before.
    package func group(
        of polynomials: [PolynomialCommitment<Suite.Group>]
    ) throws(ThresholdError) -> GroupKey<Suite.Group> {
        guard let first = polynomials.first else { throw .inconsistentKey }
        let group = try GroupKey(parameters: parameters, commitment: polynomials.dropFirst().reduce(first, +))
        let expected: Suite.Group.Point
        switch origin {
        case .fresh: expected = group.publicKey
        case .shares(let old, _): expected = old.publicKey
        case .whole(let publicKey): expected = publicKey
        }
        guard group.publicKey == expected else { throw .inconsistentKey }
        return group
    }
}
