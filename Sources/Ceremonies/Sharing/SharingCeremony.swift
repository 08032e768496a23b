public import Secrets
public import Threshold

/// A ceremony that generates keys, renews shares, or deals whole keys, as its coordinator sees it: all keys in one. The
/// coordinator learns nothing secret, and cannot make the participants believe in different keys or shares.
public struct SharingCeremony {
    private let terms: SharingTerms

    /// Creates the coordinator of a key generation.
    public init(generating parameters: ThresholdParameters) { terms = SharingTerms(generating: parameters) }

    package init(terms: SharingTerms) { self.terms = terms }

    /// Runs the ceremony. Afterwards each receiver has its new shares, and all others are done.
    ///
    /// - Parameters:
    ///   - participants: all participants in ascending order of their indices.
    ///   - random: source for the session's identity.
    ///   - roundDeadline: the time for all participants to answer in each round.
    ///   - abortDeadline: the time for each participant to receive an abort if the ceremony fails.
    /// - Throws: ``CeremonyError/threshold(_:)`` with the culprits if they are known; the errors of participants.
    public func run(
        with participants: [any Participant], random: some RandomSource, roundDeadline: Deadline = .round,
        abortDeadline: Deadline = .abort
    ) async throws(CeremonyError) {
        guard participants.map(\.index) == terms.indices else {
            throw .wrongNumberOfShares(needed: terms.indices.count, given: participants.count)
        }
        let ceremony = Ceremony(
            participants: participants, session: CeremonyID(from: random), roundDeadline: roundDeadline)
        do throws(CeremonyError) { try await run(ceremony) } catch {
            await ceremony.abort(within: abortDeadline)
            throw error
        }
    }

    private func run(_ ceremony: Ceremony) async throws(CeremonyError) {
        let participants = ceremony.participants
        let introductions = try await ceremony.ask(.sharingRequest, [], expecting: .sharingIntroduction)
        let members = try PerWalletKey(lists: introductions)
        let origins = terms.origins
        var schnorr = try SharingCoordinator(
            terms.session(from: origins.schnorr, introductions: members.schnorr, suite: Sharing.BIP340.self),
            seats: terms.seats(from: origins.schnorr))
        var ecdsa = try SharingCoordinator(
            terms.session(from: origins.ecdsa, introductions: members.ecdsa, suite: Sharing.ECDSA.self),
            seats: terms.seats(from: origins.ecdsa))
        var ed25519 = try SharingCoordinator(
            terms.session(from: origins.ed25519, introductions: members.ed25519, suite: Sharing.Ed25519.self),
            seats: terms.seats(from: origins.ed25519))

        var answers = try PerWalletKey(
            lists: try await ceremony.ask(
                .sharingParticipants, MessageList.encode(introductions), expecting: .sharingCommitment))
        let commitments = PerWalletKey(
            schnorr: try schnorr.collect(commitments: answers.schnorr),
            ecdsa: try ecdsa.collect(commitments: answers.ecdsa),
            ed25519: try ed25519.collect(commitments: answers.ed25519))
        answers = try PerWalletKey(
            lists: try await ceremony.ask(.sharingCommitments, commitments.encoded, expecting: .sharingOpening))
        let openings = PerWalletKey(
            schnorr: try schnorr.collect(openings: answers.schnorr), ecdsa: try ecdsa.collect(openings: answers.ecdsa),
            ed25519: try ed25519.collect(openings: answers.ed25519))
        answers = try PerWalletKey(
            lists: try await ceremony.ask(.sharingOpenings, openings.encoded, expecting: .sharingConfirmation))

        // Only certificates of all signatures activate the shares.
        let ecdsaCertificate = try ecdsa.certificate(of: answers.ecdsa)
        let certificates = PerWalletKey(
            schnorr: try schnorr.certificate(of: answers.schnorr).message, ecdsa: ecdsaCertificate.message,
            ed25519: try ed25519.certificate(of: answers.ed25519).message)
        let shared = try await ceremony.ask(.sharingConfirmations, certificates.encoded, expecting: .shared)
        guard shared.allSatisfy(\.isEmpty) else { throw .malformedMessage }
        let receivers = participants.filter { terms.isReceiver($0.index) }
        try await Pairing(after: ecdsaCertificate.recoveryData).run(
            in: ceremony.among(receivers))
    }
}
