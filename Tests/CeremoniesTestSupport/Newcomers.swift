import Secrets
import Threshold
import Wallet

@testable import Ceremonies

/// Holders-to-be of one key generation.
struct Newcomers {
    let parameters: ThresholdParameters
    let holders: [KeyGenerationHolder]

    init(_ threshold: Int, of total: Int) throws {
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        self.parameters = parameters
        holders = parameters.indices.map {
            KeyGenerationHolder(index: $0, parameters: parameters, random: SystemRandom())
        }
    }

    func run() async throws(CeremonyError) { try await run(with: holders) }

    func run(with others: [any Holder]) async throws(CeremonyError) {
        try await KeyGeneration(parameters).run(with: others, random: SystemRandom())
    }

    /// The public keys that each holder has shares of; nothing for one that has none.
    func groups() async -> [GroupKeys?] {
        var groups: [GroupKeys?] = []
        for holder in holders {
            do {
                let shares = try await holder.takeShares()
                groups.append(shares.groups)
            } catch {
                groups.append(nil)
            }
        }
        return groups
    }
}
