import Curves
import Secrets
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Key generation: exchanged host keys")
struct ExchangedHostKeysTests {
    /// Why the threat model excepts it, and why ``WalletCreation`` compares what all holders got.
    @Test("one holder alone does not notice that the coordinator sits in all the other places")
    func alone() async throws {
        let random = SystemRandom()
        let parameters = try ThresholdParameters(threshold: 2, total: 3)
        let holder = KeyGenerationHolder(index: try ParticipantIndex(2), parameters: parameters, random: random)
        // The coordinator plays holders 1 and 3 itself.
        let one = KeyGenerationHolder(index: try ParticipantIndex(1), parameters: parameters, random: random)
        let three = KeyGenerationHolder(index: try ParticipantIndex(3), parameters: parameters, random: random)
        try await KeyGeneration(parameters).run(with: [one, holder, three], random: random)

        // Two shares of three: the whole keys are the coordinator's.
        let share = try await holder.takeShares()
        let mine = try await one.takeShares()
        let mineToo = try await three.takeShares()
        #expect(share.groups == mine.groups && mineToo.groups == mine.groups)
    }
}
