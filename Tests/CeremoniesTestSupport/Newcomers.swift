import Secrets
import Threshold
import Wallet

@testable import Ceremonies

/// The participants of one key generation, before they have shares.
struct Newcomers {
    let parameters: ThresholdParameters
    let participants: [SharingParticipant]

    init(_ threshold: Int, of total: Int) throws {
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        self.parameters = parameters
        participants = parameters.indices.map {
            SharingParticipant(index: $0, generating: parameters, random: SystemRandom())
        }
    }

    func run() async throws(CeremonyError) { try await run(with: participants) }

    func run(with others: [any Participant]) async throws(CeremonyError) {
        try await SharingCeremony(generating: parameters).run(with: others, random: SystemRandom())
    }

    /// The public keys of each participant's shares; nil for one without shares.
    func groups() async -> [GroupKeys?] {
        var groups: [GroupKeys?] = []
        for participant in participants {
            do {
                let shares = try await participant.takeShares()
                groups.append(shares.groups)
            } catch {
                groups.append(nil)
            }
        }
        return groups
    }
}
