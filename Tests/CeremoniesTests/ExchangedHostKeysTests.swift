import Curves
import Secrets
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Key generation: exchanged host keys")
struct ExchangedHostKeysTests {
    /// Why the threat model excepts it, and why ``WalletCreation`` compares what all participants got.
    @Test("one participant alone does not notice that the coordinator sits in all the other places")
    func alone() async throws {
        let random = SystemRandom()
        let parameters = try ThresholdParameters(threshold: 2, total: 3)
        let participant = KeyGenerationParticipant(
            index: try ParticipantIndex(2), parameters: parameters, random: random)
        // The coordinator plays participants 1 and 3 itself.
        let one = KeyGenerationParticipant(index: try ParticipantIndex(1), parameters: parameters, random: random)
        let three = KeyGenerationParticipant(index: try ParticipantIndex(3), parameters: parameters, random: random)
        try await KeyGeneration(parameters).run(with: [one, participant, three], random: random)

        // Two shares of three: the whole keys are the coordinator's.
        let share = try await participant.takeShares()
        let mine = try await one.takeShares()
        let mineToo = try await three.takeShares()
        #expect(share.groups == mine.groups && mineToo.groups == mine.groups)
    }
}
