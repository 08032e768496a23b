internal import Curves

extension Sharing {
    /// The dealings of all dealers, after all checks of their public parts.
    ///
    /// A value of this type is good: each dealer knows its whole polynomial, of the right degree, deals what it must,
    /// and the sum is a key, which is the old one if there was one. Only the participant's own share remains to be
    /// checked.
    struct Transcript<Suite: Sharing.Ciphersuite>: Equatable, Sendable {
        let session: Session<Suite>
        /// The openings as they were sent, in the order of the dealers.
        let encodedOpenings: [[UInt8]]
        let openings: [Opening<Suite>]
        /// The key, with the new shares.
        let group: GroupKey<Suite.Group>
        /// The hash of the session and all dealings, commitments and openings: 32 bytes.
        let hash: [UInt8]

        /// - Parameters:
        ///   - openings: the openings of all dealers of the session.
        ///   - party: the party that runs this check: if it is a dealer, its proofs are not checked.
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

        /// Decrypts the shares that all dealers sent to this receiver, and checks each (Feldman).
        ///
        /// - Throws: ``ThresholdError/sharing(_:)`` with ``Fault/suspect(_:_:)``.
        func share(
            of index: ParticipantIndex, _ hostKey: borrowing Sharing.HostKey<Suite>
        ) throws(ThresholdError) -> KeyShare<Suite.Group> {
            var sum = SecretScalar<Suite.Group>(.zero)
            for (dealer, opening) in zip(session.dealing, openings) {
                let pads = session.pads(of: dealer)
                let pad: SecretScalar<Suite.Group>
                if dealer.receiver == index {
                    pad = pads.own(hostKey: hostKey, index: index, publicNonce: opening.publicNonce.encoded)
                } else {
                    do {
                        pad = try pads.incoming(hostKey: hostKey, recipient: index, publicNonce: opening.publicNonce)
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
    /// Returns the offence in the public parts of a dealer's opening; nil if they are right.
    func offence(in opening: Sharing.Opening<Suite>, from dealer: Sharing.Party) -> Sharing.Offence? {
        // One coefficient more would secretly raise the threshold, and the key would be lost.
        guard opening.polynomial.coefficients.count == parameters.threshold else { return .degree }
        // A proof for each coefficient, not only the constant: the security proof of threshold ECDSA assumes that
        // dealers know their polynomials.
        for (power, (coefficient, proof)) in zip(opening.polynomial.coefficients, opening.proofs).enumerated() {
            guard Suite.isProofOfPossession(proof, of: coefficient, message: proofMessage(of: power, from: dealer))
            else { return .proof(power: power) }
        }
        if let index = dealer.dealer, let constant = origin.constant(of: index, among: dealers) {
            guard opening.polynomial.constant == constant else { return .constant }
        }
        return nil
    }

    /// Returns the key of the sum of the polynomials.
    ///
    /// - Throws: ``ThresholdError/inconsistentKey`` if it is invalid, or not the old key.
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
