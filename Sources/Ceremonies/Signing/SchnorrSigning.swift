internal import Curves
internal import Threshold
internal import Wallet

/// The coordinator's side of FROST, for all taproot inputs of a transaction at once.
struct SchnorrSigning {
    let requests: [SchnorrRequest]
    let group: GroupKey<Secp256k1>

    /// Runs both rounds, and returns the signatures.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)`` with the culprits if they are known; the errors of participants.
    func run(
        _ ceremony: Ceremony, proposal: SigningProposal
    ) async throws(CeremonyError) -> [[UInt8]] {
        // Round 1: each participant decodes the transaction itself, and commits to nonces for each input.
        let commitments = try Self.parts(
            in: try await ceremony.ask(.signingProposal, proposal.encoded, expecting: .signingCommitments),
            count: requests.count, from: ceremony.participants, FROST.BIP340.Commitment.init(decoding:), by: \.index)

        // Round 2: each participant signs what it computed itself, if the package asks for the same.
        let packages = try packages(for: commitments)
        let shares = try Self.parts(
            in: try await ceremony.ask(
                .signingPackages, MessageList.encode(packages.map(\.encoded)), expecting: .signatureShares),
            count: requests.count, from: ceremony.participants, FROST.BIP340.SignatureShare.init(decoding:), by: \.index
        )

        var signatures: [[UInt8]] = []
        for input in requests.indices {
            do {
                signatures.append(
                    try FROST.BIP340.aggregate(shares.map { $0[input] }, of: packages[input], in: group))
            } catch {
                throw .threshold(error)
            }
        }
        return signatures
    }

    /// Returns one signing package for each input, from every participant's commitment to it.
    private func packages(
        for commitments: [[FROST.BIP340.Commitment]]
    ) throws(CeremonyError) -> [FROST.BIP340.SigningPackage] {
        do {
            var packages: [FROST.BIP340.SigningPackage] = []
            for (input, request) in requests.enumerated() {
                packages.append(
                    try FROST.BIP340.SigningPackage(
                        group: group, commitments: commitments.map { $0[input] }, tweaks: request.tweaks,
                        message: request.message))
            }
            return packages
        } catch {
            throw .threshold(error)
        }
    }

    /// Reads one part for each signature from each participant's answer.
    ///
    /// - Throws: ``ThresholdError/faulty(culprits:)`` for a participant whose part carries another's index: the other
    ///   one must not be blamed for it.
    static func parts<Part>(
        in answers: [[UInt8]], count: Int, from participants: [any Participant],
        _ decode: ([UInt8]) throws(ThresholdError) -> Part, by author: (Part) -> ParticipantIndex
    ) throws(CeremonyError) -> [[Part]] {
        var result: [[Part]] = []
        for (answer, participant) in zip(answers, participants) {
            var parts: [Part] = []
            for encoded in try MessageList.decode(answer, count: count) {
                do throws(ThresholdError) {
                    let part = try decode(encoded)
                    guard author(part).value == participant.index else {
                        throw ThresholdError.faulty(culprits: [try ParticipantIndex(participant.index)])
                    }
                    parts.append(part)
                } catch {
                    throw .threshold(error)
                }
            }
            result.append(parts)
        }
        return result
    }
}
