import Secrets
import Threshold
import Wallet

@testable import Ceremonies

/// Participants-to-be of one key generation.
struct Newcomers {
    let parameters: ThresholdParameters
    let participants: [KeyGenerationParticipant]

    init(_ threshold: Int, of total: Int) throws {
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        self.parameters = parameters
        participants = parameters.indices.map {
            KeyGenerationParticipant(index: $0, parameters: parameters, random: SystemRandom())
        }
    }

    func run() async throws(CeremonyError) { try await run(with: participants) }

    func run(with others: [any Participant]) async throws(CeremonyError) {
        try await KeyGeneration(parameters).run(with: others, random: SystemRandom())
    }

    /// The public keys that each participant has shares of; nothing for one that has none.
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
