import Curves
import Encoding
import Secrets
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// Participants that lie to an honest coordinator.
@Suite("Signing: faulty participants")
struct FaultyParticipantTests {
    /// Signs with a participant 2 whose messages are changed.
    private func sign(
        inputs count: Int = 1, _ change: @escaping @Sendable (MiddleMan.Passage) -> [UInt8]
    ) async throws -> CeremonyError? {
        let session = try SigningSession(inputs: count)
        let liar = MiddleMan(session.second, change)
        return await failure { () async throws(CeremonyError) in
            try await session.spend.sign(with: [session.first, liar], random: SystemRandom())
        }
    }

    private func sign(
        answering step: Int, inputs count: Int = 1, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) async throws -> CeremonyError? {
        try await sign(inputs: count) { passage in
            guard passage.direction == .answer, passage.step == step else { return passage.bytes }
            return change(passage.bytes)
        }
    }

    @Test("control: a relay that changes nothing")
    func control() async throws {
        #expect(try await sign { $0.bytes } == nil)
    }

    @Test("the sender of a wrong signature share is named, for each input")
    func named() async throws {
        let second = try ParticipantIndex(2)
        // The position after the list's count, a size, and a message of 3 + 1 + 32 bytes; the next one is 38 bytes
        // further.
        for (count, position) in [(1, 39), (2, 39), (2, 77)] {
            let failure = try await sign(answering: 2, inputs: count) { $0.changingPayload { $0.flipping(position) } }
            #expect(failure == .threshold(.faulty(culprits: [second])))
        }
    }

    @Test("two cheating participants are both named")
    func bothNamed() async throws {
        let session = try SigningSession()
        // By different amounts, which cannot cancel each other out.
        func lie(by bit: UInt8) -> @Sendable (MiddleMan.Passage) -> [UInt8] {
            { passage in
                guard passage.direction == .answer, passage.step == 2 else { return passage.bytes }
                return passage.bytes.changingPayload { $0.flipping(39, by: bit) }
            }
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await session.spend.sign(
                with: [MiddleMan(session.first, lie(by: 1)), MiddleMan(session.second, lie(by: 2))],
                random: SystemRandom())
        }
        #expect(failure == .threshold(.faulty(culprits: [try ParticipantIndex(1), try ParticipantIndex(2)])))
    }

    @Test("a participant that answers for another commitment than its own is named")
    func otherCommitment() async throws {
        let session = try SigningSession()
        let other = FROST.BIP340.Round1.commit(try session.wallet.share(2), random: SystemRandom()).commitment.encoded
        // The coordinator receives another commitment and sends it to all; participant 2 itself would notice, so it
        // gets its own.
        let own = OneShotBytes()
        let liar = MiddleMan(session.second) { passage in
            switch (passage.direction, passage.step) {
            case (.answer, 1):
                return passage.bytes.changingPayload { list in
                    own.set((try? MessageList.decode(list, count: 1).first) ?? [])
                    return MessageList.encode([other])
                }
            case (.request, 2):
                return passage.bytes.changingPayload { list in
                    guard let package = try? MessageList.decode(list, count: 1).first,
                        let range = package.firstRange(of: other.dropFirst(3))
                    else { return list }
                    return MessageList.encode([package.replacing(range, with: Array(own.get().dropFirst(3)))])
                }
            default: return passage.bytes
            }
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await session.spend.sign(with: [session.first, liar], random: SystemRandom())
        }
        #expect(failure == .threshold(.faulty(culprits: [try ParticipantIndex(2)])))
    }

    @Test("a participant that answers under another's name is named, and not the other", arguments: [1, 2], [1, 3])
    func otherName(_ step: Int, _ name: Int) async throws {
        // The index follows the list's count, the size, and the header of 3 bytes.
        let failure = try await sign(answering: step) {
            $0.changingPayload { $0.flipping(7, by: 2 ^ UInt8(name)) }
        }
        #expect(failure == .threshold(.faulty(culprits: [try ParticipantIndex(2)])))
    }

    @Test("malformed answers are refused")
    func envelopes() async throws {
        for step in 1...2 {
            for (position, bit, error) in [
                (1, UInt8(1), CeremonyError.malformedMessage), (2, 1, .malformedMessage), (3, 0x40, .malformedMessage),
                (3, 1, .staleMessage), (4, 1, .staleMessage), (5, 1, .staleMessage), (36, 1, .staleMessage),
                (40, 1, .malformedMessage), (42, 1, .malformedMessage),
            ] {
                let failure = try await sign(answering: step) { $0.flipping(position, by: bit) }
                #expect(failure == error, "byte \(position) of answer \(step)")
            }
            #expect(try await sign(answering: step) { _ in [] } == .malformedMessage)
            #expect(try await sign(answering: step, inputs: 2) { $0.changingPayload { $0 + [0] } } == .malformedMessage)
        }
        // The answer to the proposal, again.
        let replayed = try await sign { passage in
            passage.direction == .answer && passage.step == 2 ? passage.earlier[0] : passage.bytes
        }
        #expect(replayed == .staleMessage)
        let noPoint = try await sign(answering: 1) { $0.changingPayload { $0.flipping(8, by: 4) } }
        #expect(noPoint == .threshold(.invalidElement))
    }

    @Test("a share from before a renewal does not sign with shares from after it")
    func renewed() async throws {
        let session = try SigningSession()
        let renewed = try session.wallet.renewed().participant(2, of: session.spend)
        let failure = await failure { () async throws(CeremonyError) in
            try await session.spend.sign(with: [session.first, renewed], random: SystemRandom())
        }
        #expect(failure == .threshold(.wrongGroup))
    }
}
