import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// Limits are those of the process: each test has its own process.
@Suite("ECDSA: memory limits of sessions and shares")
struct AdmissionTests {
    /// The amount that may still be admitted.
    private static func limit(toMore bytes: Int, sessions: Int) {
        let state = SecretMemory.state
        SecretMemory.limit(
            to: SecretMemory.Limits(bytes: state.admitted + bytes, sessions: state.sessions + sessions))
    }

    @Test("the memory of ECDSA signatures is one session's, and free when the reservation is dropped")
    func ecdsa() async {
        await #expect(processExitsWith: .success) {
            let size = ECDSA.memory(signers: 2)
            AdmissionTests.limit(toMore: 3 * size, sessions: 2)
            let before = SecretMemory.state
            do {
                let two = try ECDSA.admit(signatures: 2, signers: 2)
                #expect(SecretMemory.state.admitted == before.admitted + 2 * size)
                #expect(SecretMemory.state.sessions == before.sessions + 1)
                #expect(throws: ThresholdError.exhausted(.bytes(limit: before.admitted + 3 * size))) {
                    _ = try ECDSA.admit(signatures: 1, signers: 3)
                }
                let one = try ECDSA.admit(signatures: 1, signers: 2)
                #expect(throws: ThresholdError.exhausted(.sessions(limit: before.sessions + 2))) {
                    _ = try ECDSA.admit(signatures: 1, signers: 2)
                }
                withExtendedLifetime(two) {}
                withExtendedLifetime(one) {}
            }
            #expect(SecretMemory.state.admitted == before.admitted && SecretMemory.state.sessions == before.sessions)
        }
    }

    @Test("the memory admitted for ECDSA signatures is the size of their secrets")
    func size() async {
        await #expect(processExitsWith: .success) {
            let opened = try OpenSession(random: SeededRandom(seed: 8))
            var kept: [[Box<ECDSA.Round3>]] = [try opened.third()]
            let before = SecretMemory.state
            // Both signers are in this process.
            let admission = try ECDSA.admit(signatures: 80, signers: 2)
            for _ in 0..<40 { kept.append(try opened.third()) }
            let after = SecretMemory.state
            let admitted = after.admitted - before.admitted
            #expect(admitted == 80 * ECDSA.memory(signers: 2))
            // The last arenas are not full.
            #expect(after.mapped - before.mapped < admitted + 1 << 20)
            #expect(after.mapped - before.mapped > admitted / 2)
            #expect(kept.count == 41)
            withExtendedLifetime(admission) {}
        }
    }

    @Test("a share is admitted when it is read, and refused without room")
    func share() async {
        await #expect(processExitsWith: .success) {
            let opened = try OpenSession(random: SeededRandom(seed: 9))
            let stored = opened.shares[0].borrow { reveal($0.encoded()) }
            AdmissionTests.limit(toMore: 2 * ECDSA.Pair.encodedSize + AdmittedSize.scalar, sessions: 1)
            let before = SecretMemory.state
            do {
                let share = try ECDSA.KeyShare(decoding: secret(stored))
                #expect(share.epoch == 0 && SecretMemory.state.admitted > before.admitted)
                #expect(throws: ThresholdError.exhausted(.bytes(limit: SecretMemory.limits.bytes))) {
                    _ = try ECDSA.KeyShare(decoding: secret(stored))
                }
                withExtendedLifetime(share) {}
            }
            #expect(SecretMemory.state.admitted == before.admitted)
            _ = try ECDSA.KeyShare(decoding: secret(stored))
        }
    }

    @Test("the set-up of pairs is one session, from its first message to its end")
    func setup() async {
        await #expect(processExitsWith: .success) {
            let run = try SetupRun(2, of: 3)
            let before = SecretMemory.state
            do {
                let first = try run.begin(ParticipantIndex(1))
                #expect(SecretMemory.state.sessions == before.sessions + 1)
                AdmissionTests.limit(toMore: 1 << 20, sessions: 1)
                _ = try run.begin(ParticipantIndex(2))
                SecretMemory.limit(to: SecretMemory.Limits(bytes: 1 << 30, sessions: before.sessions + 1))
                #expect(throws: ThresholdError.exhausted(.sessions(limit: before.sessions + 1))) {
                    _ = try run.begin(ParticipantIndex(2))
                }
                withExtendedLifetime(first) {}
            }
            #expect(SecretMemory.state.sessions == before.sessions)
        }
    }

    @Test("a set-up keeps its memory to its end, and the resulting share keeps its own")
    func wholeSetup() async {
        await #expect(processExitsWith: .success) {
            let run = try SetupRun(2, of: 3)
            let before = SecretMemory.state
            let shares = try run.run { step, _, _, _ in
                let now = SecretMemory.state
                #expect(now.sessions > before.sessions)
                // From this point nothing more is admitted.
                if step == .confirmation {
                    SecretMemory.limit(to: SecretMemory.Limits(bytes: now.admitted, sessions: now.sessions))
                }
            }
            let after = SecretMemory.state
            #expect(after.sessions == before.sessions)
            #expect(after.admitted - before.admitted == 3 * (2 * ECDSA.Pair.encodedSize + AdmittedSize.scalar))
            withExtendedLifetime(shares) {}
        }
    }
}

/// Two signers of a key of three, and their sessions.
private struct OpenSession {
    let shares: [Box<ECDSA.KeyShare>]
    private let request: ECDSA.SigningRequest
    private let signers: [ParticipantIndex]
    private let random: SeededRandom

    init(random: SeededRandom) throws {
        let key = try DealtKey(2, of: 3, random: random)
        signers = [try ParticipantIndex(1), try ParticipantIndex(2)]
        shares = signers.map { key.share($0) }
        request = try ECDSA.SigningRequest(signers: signers, message: [UInt8](repeating: 7, count: 32))
        self.random = random
    }

    func first(_ signer: Int) throws -> Box<ECDSA.Round1> {
        try shares[signer].borrow { Box(try ECDSA.Round1($0, request, in: [1], random: random)) }
    }

    /// Both after their third messages.
    func third() throws -> [Box<ECDSA.Round3>] {
        let first = try [first(0), first(1)]
        let commitments = byPeer(first.map { $0.borrow { $0.message } })
        let second = try first.map { Box(try $0.take().receive(commitments)) }
        let transfers = second.map { $0.borrow { $0.messages } }
        return try second.enumerated().map { Box(try $1.take().receive(received($0, transfers))) }
    }

    private func byPeer(_ messages: [[UInt8]]) -> [ParticipantIndex: [UInt8]] {
        Dictionary(uniqueKeysWithValues: zip(signers, messages))
    }

    /// The other participant's messages.
    private func received(_ signer: Int, _ sent: [[ParticipantIndex: [UInt8]]]) -> [ParticipantIndex: [UInt8]] {
        [signers[1 - signer]: sent[1 - signer][signers[signer]] ?? []]
    }
}
