internal import Curves
internal import Threshold

/// The coordinator's side of FROST, for all taproot inputs of a transaction at once.
struct SchnorrSigning {
    let requests: [SchnorrRequest]
    let group: GroupKey<Secp256k1>

    /// Runs the second round, and returns the signatures.
    ///
    /// - Parameter commitments: the participants' answers to the proposal: a commitment to nonces for each input, by
    ///   participant.
    /// - Throws: ``CeremonyError/threshold(_:)`` with the culprits if they are known; the errors of participants.
    func run(_ ceremony: Ceremony, commitments: [[[UInt8]]]) async throws(CeremonyError) -> [[UInt8]] {
        let packages = try packages(
            for: try Self.parts(
                in: commitments, from: ceremony.participants, FROST.BIP340.Commitment.init(decoding:), by: \.index))
        // Each participant signs what it computed itself, if the package asks for the same.
        let answers = try await ceremony.ask(
            .signingPackages, MessageList.encode(packages.map(\.encoded)), expecting: .signatureShares)
        let shares = try Self.parts(
            in: try MessageList.decode(all: answers, count: requests.count), from: ceremony.participants,
            FROST.BIP340.SignatureShare.init(decoding:), by: \.index)

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

    /// Reads each participant's parts of the signatures.
    ///
    /// - Throws: ``ThresholdError/faulty(culprits:)`` for a participant whose part carries another's index: the other
    ///   one must not be blamed for it.
    static func parts<Part>(
        in lists: [[[UInt8]]], from participants: [any Participant],
        _ decode: ([UInt8]) throws(ThresholdError) -> Part, by author: (Part) -> ParticipantIndex
    ) throws(CeremonyError) -> [[Part]] {
        var result: [[Part]] = []
        for (list, participant) in zip(lists, participants) {
            var parts: [Part] = []
            for encoded in list {
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
