import Curves
import Secrets
import TestSupport
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// One change to one message between the coordinator and participant 2 of 3, in a refresh.
struct RenewalAttack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let direction: MiddleMan.Direction
    let step: Int
    let error: CeremonyError
    let change: @Sendable ([UInt8]) -> [UInt8]

    init(
        _ direction: MiddleMan.Direction, _ step: Int, _ what: String, _ error: CeremonyError,
        _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        testDescription = "\(direction) \(step): \(what)"
        (self.direction, self.step, self.error, self.change) = (direction, step, error, change)
    }

    /// Changes the part of the payload for one key.
    static func part(
        _ direction: MiddleMan.Direction, _ step: Int, _ purpose: WalletKeyPurpose, _ what: String,
        _ error: ThresholdError,
        _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> RenewalAttack {
        RenewalAttack(direction, step, "\(purpose): \(what)", .threshold(error)) {
            $0.changingPayload { $0.changing(purpose, change) }
        }
    }

    /// Requests and answers have ten steps: five of the renewal, five of the pairs' set-up.
    static let envelopes: [RenewalAttack] = [MiddleMan.Direction.request, .answer].flatMap { direction in
        [1, 2, 3, 4, 5, 6].flatMap { step in
            [
                RenewalAttack(direction, step, "no such kind", .malformedMessage) { $0.flipping(3, by: 0x80) },
                RenewalAttack(direction, step, "another kind", .staleMessage) {
                    $0.replacing(3..<4, with: [CeremonyMessage.Kind.signingProposal.rawValue])
                },
                RenewalAttack(direction, step, "another sender", .staleMessage) { $0.flipping(4) },
                RenewalAttack(direction, step, "another session", .staleMessage) { $0.flipping(36) },
                RenewalAttack(direction, step, "a byte more", .malformedMessage) { $0 + [0] },
            ]
        }.filter { !($0.direction == .request && $0.step == 1 && $0.testDescription.hasSuffix("another session")) }
    }

    private static func party(_ number: Int) throws -> Sharing.Party {
        let terms = try Renewers(of: try KnownWallet(), dealers: [1, 2, 3]).terms
        let hello = (1...3).map { _ in SharingParticipantState<Sharing.ECDSA>(random: SystemRandom()).introduction }
        return try terms.session(from: terms.origins.ecdsa, introductions: hello, suite: Sharing.ECDSA.self).parties[
            number - 1]
    }

    static func all() throws -> [RenewalAttack] {
        let second = try ParticipantIndex(2)
        let party = try party(2)
        return WalletKeyPurpose.allCases.flatMap { purpose in
            [
                part(.answer, 1, purpose, "another introduction", .sharing(.invalidIntroduction(of: .dealer(second)))) {
                    $0.dropLast()
                },
                part(.answer, 2, purpose, "no commitment", .sharing(.missing(party))) { _ in [] },
                part(.answer, 2, purpose, "without its end", .sharing(.faulty([party]))) { $0.dropLast() },
                part(.answer, 3, purpose, "another opening", .sharing(.suspect(party, .commitment))) {
                    $0.flipping($0.count - 1)
                },
                part(.answer, 4, purpose, "a wrong confirmation", .sharing(.faulty([party]))) {
                    $0.flipping($0.count - 1)
                },
                part(.request, 3, purpose, "without its end", .sharing(.coordinator)) { $0.dropLast() },
                part(.request, 4, purpose, "without its end", .sharing(.coordinator)) { $0.dropLast() },
                part(.request, 5, purpose, "a wrong confirmation of participant 3", .sharing(.coordinator)) {
                    $0.flipping($0.count - 1)
                },
            ]
        } + [
            RenewalAttack(.request, 2, "one participant less", .malformedMessage) {
                $0.changingPayload { list in
                    MessageList.encode(Array(((try? MessageList.decode(list, count: 3)) ?? []).prefix(2)))
                }
            },
            RenewalAttack(.request, 2, "participants 1 and 2 exchanged", .threshold(.wrongGroup)) {
                $0.changingPayload { list in
                    let all = (try? MessageList.decode(list, count: 3)) ?? []
                    return all.count == 3 ? MessageList.encode([all[1], all[0], all[2]]) : list
                }
            },
            RenewalAttack(.request, 2, "another introduction of participant 1", .threshold(.sharing(.faulty([party]))))
            {
                $0.changingPayload { list in
                    let all = (try? MessageList.decode(list, count: 3)) ?? []
                    let stranger = SharingParticipantState<Sharing.ECDSA>(random: SystemRandom()).introduction
                    return MessageList.encode([all[0].changing(.ecdsa) { _ in stranger }] + all.dropFirst())
                }
            },
        ]
    }

    /// Participant 2's message for one key, sent for another.
    static func mixes() throws -> [RenewalAttack] {
        let party = try party(2)
        let dealer = Sharing.Role.dealer(try ParticipantIndex(2))
        return [
            (1, ThresholdError.sharing(.invalidIntroduction(of: dealer))), (2, .sharing(.faulty([party]))),
            (3, .sharing(.suspect(party, .commitment))), (4, .sharing(.faulty([party]))),
        ].flatMap { step, error in
            [(WalletKeyPurpose.schnorr, WalletKeyPurpose.ecdsa), (.ecdsa, .schnorr)].map { from, to in
                RenewalAttack(.answer, step, "\(from) for \(to)", .threshold(error)) {
                    $0.changingPayload { list in
                        guard let parts = try? PerWalletKey<[UInt8]>(decoding: list) else { return list }
                        return list.changing(to) { _ in parts[from] }
                    }
                }
            }
        }
    }
}

@Suite("Renewal under attack")
struct RenewalAttackTests {
    private func run(_ attack: RenewalAttack) async throws {
        let wallet = try KnownWallet()
        let renewers = try Renewers(of: wallet, dealers: [1, 2, 3])
        let between = MiddleMan(renewers.participants[1]) { passage in
            guard passage.direction == attack.direction, passage.step == attack.step else { return passage.bytes }
            let changed = attack.change(passage.bytes)
            #expect(changed != passage.bytes, "the attack changes nothing")
            return changed
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await renewers.run(with: [renewers.participants[0], between, renewers.participants[2]])
        }
        #expect(failure == attack.error)
        // reshare_split_view: no participant has new shares, and the old ones are unchanged.
        #expect(await renewers.groups().isEmpty)
    }

    @Test("a change to any envelope is detected", arguments: RenewalAttack.envelopes)
    func envelope(_ attack: RenewalAttack) async throws { try await run(attack) }

    @Test("cheating in the sharing of one key ends the renewal of all keys", arguments: try RenewalAttack.all())
    func cheating(_ attack: RenewalAttack) async throws { try await run(attack) }

    @Test("a message for one key is refused for another", arguments: try RenewalAttack.mixes())
    func mix(_ attack: RenewalAttack) async throws { try await run(attack) }

    @Test("threshold_raise, and unexpected receivers: a participant uses its own terms")
    func otherTerms() async throws {
        let wallet = try KnownWallet()
        for (dealers, threshold, total) in [([1, 2, 3], 3, 3), ([1, 2], 2, 3)] {
            let renewers = try Renewers(of: wallet, dealers: [1, 2, 3])
            let terms = SharingTerms(
                renewing: wallet.keys.groups, epoch: 0, dealers: dealers,
                parameters: try ThresholdParameters(threshold: threshold, total: total))
            // Participant 3 expects something else.
            let other = try Renewers.participant(3, wallet, terms)
            let failure = await failure { () async throws(CeremonyError) in
                try await renewers.run(with: [renewers.participants[0], renewers.participants[1], other])
            }
            guard case .threshold(.sharing) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(await renewers.groups().isEmpty)
        }
        // One receiver more than the participant expects.
        let renewers = try Renewers(of: wallet, dealers: [1, 2, 3], to: 2, of: 4)
        let told = SharingTerms(
            renewing: wallet.keys.groups, epoch: 0, dealers: [1, 2, 3],
            parameters: try ThresholdParameters(threshold: 2, total: 3))
        let other = try Renewers.participant(2, wallet, told)
        let failure = await failure { () async throws(CeremonyError) in
            try await renewers.run(with: [
                renewers.participants[0], other, renewers.participants[2], renewers.participants[3],
            ])
        }
        #expect(failure == .malformedMessage)
    }

    @Test("fuzzing: a participant answers no mutated message, and never traps")
    func fuzz() async throws {
        let wallet = try KnownWallet()
        let renewers = try Renewers(of: wallet, dealers: [1, 2, 3])
        let listener = MiddleMan(listeningTo: renewers.participants[1])
        try await renewers.run(with: [renewers.participants[0], listener, renewers.participants[2]])
        var inputs: [[UInt8]] = []
        Fuzz.mutations(of: Array(await listener.requests.prefix(5)), iterations: 400) { inputs.append($0) }
        for input in inputs {
            let participant = try Renewers.participant(2, wallet, renewers.terms)
            let hello = CeremonyMessage(
                kind: .sharingRequest, sender: 0, session: CeremonyID(from: SystemRandom()), payload: [])
            _ = try await participant.answer(hello.encoded)
            #expect(await failure { () async throws(CeremonyError) in try await participant.answer(input) } != nil)
        }
    }
}
