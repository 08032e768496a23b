import Curves
import Secrets
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Key generation: exchanged host keys")
struct ExchangedHostKeysTests {
    /// The reason why the threat model excludes this case, and why ``WalletCreation`` compares all participants'
    /// results.
    @Test("a single participant cannot detect that the coordinator plays all the others")
    func alone() async throws {
        let random = SystemRandom()
        let parameters = try ThresholdParameters(threshold: 2, total: 3)
        let participant = SharingParticipant(
            index: try ParticipantIndex(2), generating: parameters, random: random)
        // The coordinator plays participants 1 and 3 itself.
        let one = SharingParticipant(index: try ParticipantIndex(1), generating: parameters, random: random)
        let three = SharingParticipant(index: try ParticipantIndex(3), generating: parameters, random: random)
        try await SharingCeremony(generating: parameters).run(with: [one, participant, three], random: random)

        // Two shares of three: the coordinator has the whole keys.
        let share = try await participant.takeShares()
        let mine = try await one.takeShares()
        let mineToo = try await three.takeShares()
        #expect(share.groups == mine.groups && mineToo.groups == mine.groups)
    }
}
