public import Secrets
public import Threshold

/// A distributed key generation, as its coordinator sees it: a key for each purpose, in one ceremony. The coordinator learns
/// nothing secret, and cannot make the participants believe in different keys.
public struct KeyGeneration {
    private let parameters: ThresholdParameters

    /// Creates the coordinator of a key generation.
    public init(_ parameters: ThresholdParameters) {
        self.parameters = parameters
    }

    /// Runs the key generation. Afterwards each participant has its shares.
    ///
    /// - Parameters:
    ///   - participants: one for each share, in the order of their indices.
    ///   - random: source for the session's identity.
    ///   - roundDeadline: the time for all participants to answer in each round.
    ///   - abortDeadline: the time for each participant to receive an abort if the ceremony fails.
    /// - Throws: ``CeremonyError/threshold(_:)`` with the culprits if they are known; the errors of participants.
    public func run(
        with participants: [any Participant], random: some RandomSource, roundDeadline: Deadline = .round,
        abortDeadline: Deadline = .abort
    ) async throws(CeremonyError) {
        guard participants.map(\.index) == parameters.indices.map(\.value) else {
            throw .wrongNumberOfShares(needed: parameters.total, given: participants.count)
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
        let introductions = try await ceremony.ask(.invitation, [], expecting: .introduction)
        let keys = try PerWalletKey(lists: introductions)
        var ecdsa = try SharingCoordinator<DKG.ECDSA>(fresh: parameters.threshold, introductions: keys.ecdsa)

        let contributions = try PerWalletKey(
            lists: try await ceremony.ask(
                .participants, try MessageList.relayed(introductions, from: participants), expecting: .contribution))
        let schnorr = try KeyGenerationCoordinator<DKG.BIP340>(
            threshold: parameters.threshold, hostKeys: keys.schnorr, contributions: contributions.schnorr)
        let ed25519 = try KeyGenerationCoordinator<DKG.Ed25519>(
            threshold: parameters.threshold, hostKeys: keys.ed25519, contributions: contributions.ed25519)

        // Each participant checks its shares, and signs the whole transcripts as it saw them.
        let sums = PerWalletKey(
            schnorr: schnorr.sum, ecdsa: try ecdsa.collect(commitments: contributions.ecdsa), ed25519: ed25519.sum)
        let (answers, wronged) = try await ceremony.ask(
            .contributions, sums.encoded, expecting: .agreement, orComplaint: .wrongShare)
        if let wronged {
            try await investigate(for: wronged, in: ceremony, schnorr, ed25519)
        }

        // Only certificates of all signatures activate the shares.
        let agreements = try PerWalletKey(lists: answers)
        let certificates = PerWalletKey(
            schnorr: try schnorr.certificate(of: agreements.schnorr),
            ecdsa: try ecdsa.collect(openings: agreements.ecdsa),
            ed25519: try ed25519.certificate(of: agreements.ed25519))
        let confirmations = try await ceremony.ask(.agreements, certificates.encoded, expecting: .confirmation)
        let certificate = try ecdsa.certificate(of: confirmations)
        let activated = try await ceremony.ask(.confirmations, certificate.message, expecting: .activated)
        guard activated.allSatisfy(\.isEmpty) else { throw .malformedMessage }
        try await Pairing(after: certificate.recoveryData).run(in: ceremony)
    }

    /// Shows a participant with a wrong share what each of the others sent it. Its answer is an error that names the
    /// culprit.
    private func investigate(
        for participant: any Participant, in ceremony: Ceremony, _ schnorr: KeyGenerationCoordinator<DKG.BIP340>,
        _ ed25519: KeyGenerationCoordinator<DKG.Ed25519>
    ) async throws(CeremonyError) {
        let parts = PerWalletKey(
            schnorr: try schnorr.investigation(for: participant.index), ecdsa: [],
            ed25519: try ed25519.investigation(for: participant.index))
        _ = try await ceremony.among([participant]).ask(
            .investigation, parts.encoded, expecting: .wrongShare)
        // The participant complained without a reason.
        throw .threshold(.faulty(culprits: [try index(of: participant)]))
    }

    private func index(of participant: any Participant) throws(CeremonyError) -> ParticipantIndex {
        do { return try ParticipantIndex(participant.index) } catch { throw .threshold(error) }
    }
}
