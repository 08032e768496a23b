package import Secrets
internal import Threshold

/// A ceremony that renews shares, or deals whole keys, as its coordinator sees it: all keys in one. The coordinator learns nothing secret, and cannot make the
/// holders believe in different shares.
package struct SharingCeremony {
    private let terms: SharingTerms

    package init(terms: SharingTerms) { self.terms = terms }

    /// Runs it. Afterwards each receiver has its new shares, and all others are done.
    ///
    /// - Parameter holders: all who take part, by their indices, ascending.
    /// - Throws: ``CeremonyError/threshold(_:)`` with the culprits where they are known, and what a holder throws.
    package func run(with holders: [any Holder], random: some RandomSource) async throws(CeremonyError) {
        guard holders.map(\.index) == terms.indices else {
            throw .wrongNumberOfShares(needed: terms.indices.count, given: holders.count)
        }
        let ceremony = Ceremony(holders: holders, session: SessionID(from: random))
        do throws(CeremonyError) { try await run(ceremony) } catch {
            await ceremony.abort()
            throw error
        }
    }

    private func run(_ ceremony: Ceremony) async throws(CeremonyError) {
        let holders = ceremony.holders
        let introductions = try await ceremony.ask(.sharingRequest, [], expecting: .sharingIntroduction)
        let members = try PerPurpose(lists: introductions)
        let origins = terms.origins
        var schnorr = try SharingDesk(
            terms.session(from: origins.schnorr, introductions: members.schnorr, suite: DKG.BIP340.self),
            seats: terms.seats(from: origins.schnorr))
        var ecdsa = try SharingDesk(
            terms.session(from: origins.ecdsa, introductions: members.ecdsa, suite: DKG.ECDSA.self),
            seats: terms.seats(from: origins.ecdsa))
        var ed25519 = try SharingDesk(
            terms.session(from: origins.ed25519, introductions: members.ed25519, suite: DKG.Ed25519.self),
            seats: terms.seats(from: origins.ed25519))

        var answers = try PerPurpose(
            lists: try await ceremony.ask(
                .sharingParticipants, MessageList.encode(introductions), expecting: .sharingCommitment))
        let commitments = PerPurpose(
            schnorr: try schnorr.collect(commitments: answers.schnorr),
            ecdsa: try ecdsa.collect(commitments: answers.ecdsa),
            ed25519: try ed25519.collect(commitments: answers.ed25519))
        answers = try PerPurpose(
            lists: try await ceremony.ask(.sharingCommitments, commitments.encoded, expecting: .sharingOpening))
        let openings = PerPurpose(
            schnorr: try schnorr.collect(openings: answers.schnorr), ecdsa: try ecdsa.collect(openings: answers.ecdsa),
            ed25519: try ed25519.collect(openings: answers.ed25519))
        answers = try PerPurpose(
            lists: try await ceremony.ask(.sharingOpenings, openings.encoded, expecting: .sharingConfirmation))

        // Only certificates of all signatures turn what a holder has into shares.
        let ecdsaCertificate = try ecdsa.certificate(of: answers.ecdsa)
        let certificates = PerPurpose(
            schnorr: try schnorr.certificate(of: answers.schnorr).message, ecdsa: ecdsaCertificate.message,
            ed25519: try ed25519.certificate(of: answers.ed25519).message)
        let shared = try await ceremony.ask(.sharingConfirmations, certificates.encoded, expecting: .shared)
        guard shared.allSatisfy(\.isEmpty) else { throw .malformedMessage }
        let receivers = holders.filter { terms.isReceiver($0.index) }
        try await Pairing(after: ecdsaCertificate.recoveryData).run(
            in: Ceremony(holders: receivers, session: ceremony.session))
    }
}
