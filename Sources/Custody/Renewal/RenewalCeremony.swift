internal import Secrets
internal import Threshold

/// A renewal as its coordinator sees it: all keys in one ceremony. The coordinator learns nothing secret, and cannot make the
/// holders believe in different shares.
struct RenewalCeremony {
    let terms: RenewalTerms

    /// Runs it. Afterwards each receiver has its new shares, and all others are done.
    ///
    /// - Parameter holders: all who take part, by their indices, ascending.
    /// - Throws: ``CustodyError/ceremony(_:)`` with the culprits where they are known, and what a holder throws.
    func run(with holders: [any Holder], random: some RandomSource) async throws(CustodyError) {
        guard holders.map(\.index) == terms.indices else {
            throw .wrongNumberOfShares(needed: terms.indices.count, given: holders.count)
        }
        let ceremony = Ceremony(holders: holders, session: SessionID(from: random))
        let introductions = try await ceremony.ask(.renewalRequest, [], expecting: .renewalIntroduction)
        let members = try PerPurpose(lists: introductions)
        var schnorr = try SharingDesk(
            terms.session(for: terms.keys.schnorr, introductions: members.schnorr, suite: DKG.BIP340.self),
            seats: terms.seats)
        var ecdsa = try SharingDesk(
            terms.session(for: terms.keys.ecdsa, introductions: members.ecdsa, suite: DKG.ECDSA.self),
            seats: terms.seats)
        var ed25519 = try SharingDesk(
            terms.session(for: terms.keys.ed25519, introductions: members.ed25519, suite: DKG.Ed25519.self),
            seats: terms.seats)

        var answers = try PerPurpose(
            lists: try await ceremony.ask(
                .renewalParticipants, MessageList.encode(introductions), expecting: .renewalCommitment))
        let commitments = PerPurpose(
            schnorr: try schnorr.collect(commitments: answers.schnorr),
            ecdsa: try ecdsa.collect(commitments: answers.ecdsa),
            ed25519: try ed25519.collect(commitments: answers.ed25519))
        answers = try PerPurpose(
            lists: try await ceremony.ask(.renewalCommitments, commitments.encoded, expecting: .renewalOpening))
        let openings = PerPurpose(
            schnorr: try schnorr.collect(openings: answers.schnorr), ecdsa: try ecdsa.collect(openings: answers.ecdsa),
            ed25519: try ed25519.collect(openings: answers.ed25519))
        answers = try PerPurpose(
            lists: try await ceremony.ask(.renewalOpenings, openings.encoded, expecting: .renewalConfirmation))

        // Only certificates of all signatures turn what a holder has into shares.
        let ecdsaCertificate = try ecdsa.certificate(of: answers.ecdsa)
        let certificates = PerPurpose(
            schnorr: try schnorr.certificate(of: answers.schnorr).message, ecdsa: ecdsaCertificate.message,
            ed25519: try ed25519.certificate(of: answers.ed25519).message)
        let renewed = try await ceremony.ask(.renewalConfirmations, certificates.encoded, expecting: .renewed)
        guard renewed.allSatisfy(\.isEmpty) else { throw .malformedMessage }
        let receivers = holders.filter { terms.isReceiver($0.index) }
        try await Pairing(after: ecdsaCertificate.recoveryData).run(
            in: Ceremony(holders: receivers, session: ceremony.session))
    }
}
