import Curves
import Secrets
import TestSupport
import Testing
import ThresholdTestSupport

@testable import Threshold

/// Limits are those of the process: each test has its own process.
@Suite("Memory limits of sessions and shares")
struct AdmissionTests {
    @Test("the nonces of many signatures are admitted before they are made")
    func nonces() async {
        await #expect(processExitsWith: .success) {
            SecretMemory.limit(to: SecretMemory.Limits(bytes: 100_000, sessions: 10))
            let admission = try FROST.admit(signatures: 400)
            #expect(SecretMemory.state.admitted == 400 * 128 && SecretMemory.state.sessions == 1)
            #expect(throws: ThresholdError.exhausted(.bytes(limit: 100_000))) { _ = try FROST.admit(signatures: 400) }
            withExtendedLifetime(admission) {}
        }
    }

    @Test("100 half-open FROST sessions of 400 inputs, and 5,000 loaded shares, live in one process")
    func many() async {
        await #expect(processExitsWith: .success) {
            let parameters = try ThresholdParameters(threshold: 2, total: 3)
            let random = SeededRandom(seed: 10)
            let dealer = try TrustedDealerForTesting<Secp256k1>(parameters: parameters, random: random)
            let share = try dealer.share(of: ParticipantIndex(1))
            let stored = reveal(share.encoded())
            var nonces: [Box<FROST.SigningNonces<Secp256k1>>] = []
            for _ in 0..<40_000 {
                nonces.append(
                    Box(
                        try FROST.SigningNonces(
                            forTestingIndex: ParticipantIndex(1), hiding: SecretScalar(Scalar(1)),
                            binding: SecretScalar(Scalar(2)))))
            }
            var shares: [Box<KeyShare<Secp256k1>>] = []
            for _ in 0..<5_000 { shares.append(Box(try KeyShare(decoding: secret(stored)))) }
            #expect(nonces.count == 40_000 && shares.count == 5_000)
        }
    }
}
