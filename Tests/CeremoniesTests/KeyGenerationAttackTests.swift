import Curves
import Secrets
import TestSupport
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// One change to one message between the coordinator and participant 2 of 3, and its expected result.
struct KeyGenerationAttack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let direction: MiddleMan.Direction
    let step: Int
    /// The error of the ceremony; nil if the change must not be noticed.
    let error: CeremonyError?
    let change: @Sendable (MiddleMan.Passage) -> [UInt8]

    /// A change to the whole message.
    static func message(
        _ direction: MiddleMan.Direction, _ step: Int, _ what: String, _ error: CeremonyError?,
        _ change: @escaping @Sendable (MiddleMan.Passage) -> [UInt8]
    ) -> KeyGenerationAttack {
        KeyGenerationAttack(
            testDescription: "\(direction) \(step): \(what)", direction: direction, step: step, error: error,
            change: change)
    }

    /// Changes the part of the payload for one key, with a matching envelope.
    static func part(
        _ direction: MiddleMan.Direction, _ step: Int, _ purpose: WalletKeyPurpose, _ what: String,
        _ error: ThresholdError?,
        _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> KeyGenerationAttack {
        message(direction, step, "\(purpose): \(what)", error.map { .threshold($0) }) {
            $0.bytes.changingPayload { $0.changing(purpose, change) }
        }
    }

    /// Changes the introductions of all that one participant receives.
    private static func introductions(
        _ what: String, _ error: CeremonyError, _ change: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) -> KeyGenerationAttack {
        message(.request, 2, what, error) {
            $0.bytes.changingPayload { list in
                MessageList.encode(change((try? MessageList.decode(list, count: 3)) ?? []))
            }
        }
    }

    /// Changes the pair set-up messages that one participant receives.
    private static func pairings(
        _ step: Int, _ what: String, _ error: ThresholdError, _ change: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) -> KeyGenerationAttack {
        message(.request, step, what, .threshold(error)) {
            $0.bytes.changingPayload { list in
                MessageList.encode(change((try? MessageList.decode(list, count: 3)) ?? []))
            }
        }
    }

    /// The possible faults of the envelope, for any message.
    static var envelopes: [KeyGenerationAttack] {
        [MiddleMan.Direction.request, .answer].flatMap { direction in
            // Key generation and the set-up of pairs, from beginning to end.
            [1, 3, 5, 7, 9, 11].flatMap { step in
                [
                    message(direction, step, "magic", .malformedMessage) { $0.bytes.flipping(1) },
                    message(direction, step, "version", .malformedMessage) { $0.bytes.flipping(2) },
                    message(direction, step, "no such kind", .malformedMessage) { $0.bytes.flipping(3, by: 0x80) },
                    message(direction, step, "another kind", .staleMessage) {
                        $0.bytes.replacing(3..<4, with: [CeremonyMessage.Kind.signingProposal.rawValue])
                    },
                    message(direction, step, "another sender", .staleMessage) { $0.bytes.flipping(4) },
                    message(direction, step, "no sender", .malformedMessage) { $0.bytes.flipping(4, by: 0x80) },
                    message(direction, step, "another session", .staleMessage) { $0.bytes.flipping(36) },
                    message(direction, step, "size", .malformedMessage) { $0.bytes.flipping(40) },
                    message(direction, step, "a byte more", .malformedMessage) { $0.bytes + [0] },
                    message(direction, step, "nothing", .malformedMessage) { _ in [] },
                    message(direction, step, "the one before", step == 1 ? nil : .staleMessage) {
                        $0.earlier.last ?? $0.bytes
                    },
                ]
            }
        }
    }

    /// The possible faults in the sharing of one key, in the messages of participant 2.
    static func answers(of purpose: WalletKeyPurpose) throws -> [KeyGenerationAttack] {
        let party = try party(2)
        let faulty = ThresholdError.sharing(.faulty([party]))
        let invalid = ThresholdError.sharing(.invalidIntroduction(of: .receiver(try ParticipantIndex(2))))
        func attack(
            _ step: Int, _ what: String, _ error: ThresholdError, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
        ) -> KeyGenerationAttack { part(.answer, step, purpose, what, error, change) }
        var attacks = [
            attack(1, "no host key", invalid) { introduction in
                let hostKey = hostKey(of: purpose)
                return introduction.replacing(hostKey, with: [UInt8](repeating: 0xFF, count: hostKey.count))
            },
            attack(1, "another host key", .wrongGroup) { other(purpose, $0) },
            attack(1, "another nonce", .sharing(.foreignIntroduction)) { $0.flipping($0.count - 1) },
            attack(1, "two introductions", invalid) { $0 + $0 },
            attack(1, "no introduction", invalid) { _ in [] },
            attack(2, "of another session", faulty) { $0.flipping(3) },
            attack(2, "of another participant", faulty) { $0.flipping(35) },
            attack(2, "without its end", faulty) { $0.dropLast() },
            attack(2, "no commitment", .sharing(.missing(party))) { _ in [] },
            // The message was right when it was sent: the coordinator that returned it to its sender is to blame.
            attack(2, "another commitment", .sharing(.coordinator)) { $0.flipping($0.count - 1) },
            attack(3, "no opening", .sharing(.missing(party))) { _ in [] },
            attack(4, "of another session", faulty) { $0.flipping(3) },
            attack(4, "of another participant", faulty) { $0.flipping(35) },
            attack(4, "a wrong signature", faulty) { $0.flipping(99) },
            attack(4, "a wrong proof of its share", faulty) { $0.flipping($0.count - 1) },
            attack(4, "no confirmation", .sharing(.missing(party))) { _ in [] },
        ]
        // The session, the sender, the salt, the number of coefficients, the constant, the other coefficient, a proof,
        // the nonce, and the share of each participant: the dealer is committed to all of it.
        for position in [3, 35, 40, 68, 70, 110, 150, 270, 300, 330, 380] {
            attacks.append(
                attack(3, "another opening, at \(position)", .sharing(.suspect(party, .commitment))) {
                    $0.flipping(position)
                })
        }
        return attacks
    }

    /// The possible faults in the messages of participant 2.
    static func answers() throws -> [KeyGenerationAttack] {
        let second = try ParticipantIndex(2)
        let named = ThresholdError.faulty(culprits: [second])
        let invalid = ThresholdError.sharing(.invalidIntroduction(of: .receiver(second)))
        return [
            // Each part has a place in a list, and the whole answer has none.
            message(.answer, 1, "an introduction that has no place in a list", .threshold(invalid)) {
                $0.bytes.changingPayload { list in
                    list.changing(.schnorr) { _ in [UInt8](repeating: 2, count: 60_000) }
                        .changing(.ed25519) { _ in [UInt8](repeating: 2, count: 60_000) }
                }
            },
            message(.answer, 5, "more than was asked for", .malformedMessage) {
                $0.bytes.changingPayload { _ in [0] }
            },
            message(.answer, 6, "fewer messages than there are participants", .malformedMessage) {
                $0.bytes.changingPayload { _ in MessageList.encode([[], []]) }
            },
            message(.answer, 11, "more than was asked for", .malformedMessage) {
                $0.bytes.changingPayload { _ in [0] }
            },
            // The set-up of pairs. Participant 2's first message is for participant 1, then for participant 3.
            message(.answer, 6, "a changed message for participant 1", .accusation(.unauthentic(from: second), by: 1)) {
                $0.bytes.changingPayload { $0.flipping(100) }
            },
            message(
                .answer, 6, "a message for participant 1 that goes to participant 3",
                .threshold(.missingParticipant(second))
            ) {
                $0.bytes.changingPayload { list in
                    MessageList.encode(((try? MessageList.decode(list, count: 3)) ?? []).reversed())
                }
            },
            message(.answer, 7, "a changed message for participant 3", .accusation(.unauthentic(from: second), by: 3)) {
                $0.bytes.changingPayload { $0.flipping($0.count - 1) }
            },
            message(.answer, 8, "a changed message for participant 1", .accusation(.unauthentic(from: second), by: 1)) {
                $0.bytes.changingPayload { $0.flipping(100) }
            },
            message(.answer, 9, "a changed message for participant 3", .accusation(.unauthentic(from: second), by: 3)) {
                $0.bytes.changingPayload { $0.flipping($0.count - 1) }
            },
            message(.answer, 10, "a wrong confirmation of its pairs", .threshold(named)) {
                $0.bytes.changingPayload { $0.flipping($0.count - 1) }
            },
        ]
    }

    /// The place of the host key in an introduction: after the header and the purpose, before the nonce.
    private static func hostKey(of purpose: WalletKeyPurpose) -> Range<Int> {
        switch purpose {
        case .schnorr: 12..<45
        case .ecdsa: 16..<49
        case .ed25519: 14..<46
        }
    }

    private static func anyPoint(of purpose: WalletKeyPurpose) -> [UInt8] {
        purpose == .ed25519 ? Ed25519.Point.generator.encoded : Secp256k1.Point.generator.encoded
    }

    /// Participant 2's message for one key in place of that for another.
    static func mixes() throws -> [KeyGenerationAttack] {
        let second = try ParticipantIndex(2)
        let party = try party(2)
        func mix(
            _ step: Int, _ from: WalletKeyPurpose, for purpose: WalletKeyPurpose, _ error: ThresholdError
        ) -> KeyGenerationAttack {
            message(.answer, step, "\(from) for \(purpose)", .threshold(error)) {
                $0.bytes.changingPayload { list in
                    guard let parts = try? PerWalletKey<[UInt8]>(decoding: list) else { return list }
                    return list.changing(purpose) { _ in parts[from] }
                }
            }
        }
        let errors: [(Int, ThresholdError)] = [
            (1, .sharing(.invalidIntroduction(of: .receiver(second)))), (2, .sharing(.faulty([party]))),
            (3, .sharing(.suspect(party, .commitment))), (4, .sharing(.faulty([party]))),
        ]
        return errors.flatMap { step, error in
            [
                mix(step, .ed25519, for: .schnorr, error), mix(step, .schnorr, for: .ed25519, error),
                mix(step, .schnorr, for: .ecdsa, error), mix(step, .ecdsa, for: .schnorr, error),
            ]
        }
    }

    static func party(_ number: Int) throws -> Sharing.Party {
        let random = SystemRandom()
        let hello = (1...3).map { _ in SharingParticipantState<Sharing.ECDSA>(random: random).introduction }
        return try Sharing.Session<Sharing.ECDSA>(fresh: 2, participants: hello).parties[number - 1]
    }

    /// The possible faults in messages to participant 2 alone.
    static func requests() throws -> [KeyGenerationAttack] {
        let (first, second, third) = (try ParticipantIndex(1), try ParticipantIndex(2), try ParticipantIndex(3))
        let named = ThresholdError.sharing(.faulty([try party(2)]))
        func twice(_ place: Int, _ other: Int) throws -> CeremonyError {
            .threshold(
                .sharing(
                    .duplicateHostKey(
                        of: .receiver(try ParticipantIndex(place)), and: .receiver(try ParticipantIndex(other)))))
        }
        return [
            message(.request, 1, "a question with a payload", .malformedMessage) {
                $0.bytes.changingPayload { _ in [0] }
            },
            introductions("two participants instead of three", .malformedMessage) { [$0[0], $0[1]] },
            introductions("participants 1 and 2 exchanged", .threshold(.wrongGroup)) { [$0[1], $0[0], $0[2]] },
            introductions("participants 1 and 3 exchanged", .threshold(named)) { $0.reversed() },
            introductions("participant 1 in place of 3, too", try twice(1, 3)) { [$0[0], $0[1], $0[0]] },
            introductions("its own in place of 1, too", try twice(1, 2)) { [$0[1], $0[1], $0[2]] },
            introductions("nothing of participant 3", .malformedMessage) { [$0[0], $0[1], []] },
            message(.request, 6, "a question with a payload", .malformedMessage) {
                $0.bytes.changingPayload { _ in [0] }
            },
            message(.request, 7, "fewer messages than there are participants", .malformedMessage) {
                $0.bytes.changingPayload { _ in MessageList.encode([[], []]) }
            },
            // In each pair one participant sends first: participant 3 to this one, and this one to participant 1.
            pairings(7, "participant 3's message from participant 1", .unknownParticipant(first)) { $0.reversed() },
            pairings(7, "participant 3's message from participant 1, too", .unknownParticipant(first)) {
                [$0[2], [], $0[2]]
            },
            pairings(7, "participant 3's message from itself, too", .unknownParticipant(second)) {
                [[], $0[2], $0[2]]
            },
            pairings(7, "nothing of participant 3", .missingParticipant(third)) { _ in [[], [], []] },
            pairings(8, "participant 1's message from participant 3", .unknownParticipant(third)) { $0.reversed() },
            pairings(8, "nothing of participant 1", .missingParticipant(first)) { _ in [[], [], []] },
            pairings(9, "participant 3's message from participant 1", .unknownParticipant(first)) { $0.reversed() },
            pairings(9, "nothing of participant 3", .missingParticipant(third)) { _ in [[], [], []] },
            pairings(10, "participant 1's message from participant 3", .unknownParticipant(third)) { $0.reversed() },
            pairings(10, "nothing of participant 1", .missingParticipant(first)) { _ in [[], [], []] },
            message(.request, 11, "a wrong confirmation of the pairs", .threshold(.pairSetup(.coordinator))) {
                $0.bytes.changingPayload { $0.flipping($0.count - 1) }
            },
        ]
    }

    /// The possible faults in the sharing of one key, in messages to participant 2 alone.
    static func requests(of purpose: WalletKeyPurpose) throws -> [KeyGenerationAttack] {
        let (dealer, party) = (try party(1), try party(2))
        let named = CeremonyError.threshold(.sharing(.faulty([party])))
        var attacks = [
            introductions("another \(purpose) host key in its own place", .threshold(.wrongGroup)) {
                [$0[0], $0[1].changing(purpose) { other(purpose, $0) }, $0[2]]
            },
            introductions("another \(purpose) nonce in its own place", .threshold(.sharing(.foreignIntroduction))) {
                [$0[0], $0[1].changing(purpose) { $0.flipping($0.count - 1) }, $0[2]]
            },
            introductions("another \(purpose) host key of participant 1", named) {
                [$0[0].changing(purpose) { other(purpose, $0) }, $0[1], $0[2]]
            },
            introductions("another \(purpose) nonce of participant 1", named) {
                [$0[0].changing(purpose) { $0.flipping($0.count - 1) }, $0[1], $0[2]]
            },
        ]
        for step in 3...5 {
            attacks.append(
                part(.request, step, purpose, "of another session", .sharing(.coordinator)) { $0.flipping(3) })
            attacks.append(part(.request, step, purpose, "without its end", .sharing(.coordinator)) { $0.dropLast(32) })
            attacks.append(
                part(.request, step, purpose, "with more at its end", .sharing(.coordinator)) { $0 + $0.suffix(32) })
        }
        attacks.append(
            part(.request, 3, purpose, "another commitment of its own", .sharing(.coordinator)) { $0.flipping(70) })
        // It opens its own, and then sees that participant 1 opens another.
        attacks.append(
            part(.request, 3, purpose, "another commitment of participant 1", .sharing(.suspect(dealer, .commitment))) {
                $0.flipping(40)
            })
        attacks.append(
            part(.request, 4, purpose, "another opening of participant 1", .sharing(.suspect(dealer, .commitment))) {
                $0.flipping(110)
            })
        attacks.append(
            part(.request, 4, purpose, "another opening of its own", .sharing(.coordinator)) {
                $0.flipping($0.count / 2)
            })
        // The certificate has a signature and a proof of each participant.
        for number in 0..<6 {
            attacks.append(
                part(.request, 5, purpose, "a wrong signature or proof, \(number)", .sharing(.coordinator)) {
                    $0.flipping(35 + 64 * number + 40)
                })
        }
        return attacks
    }

    /// Returns an introduction with another host key.
    private static func other(_ purpose: WalletKeyPurpose, _ introduction: [UInt8]) -> [UInt8] {
        introduction.replacing(hostKey(of: purpose), with: anyPoint(of: purpose))
    }
}

extension PerWalletKey {
    subscript(_ purpose: WalletKeyPurpose) -> Value {
        get {
            switch purpose {
            case .schnorr: schnorr
            case .ecdsa: ecdsa
            case .ed25519: ed25519
            }
        }
        set {
            switch purpose {
            case .schnorr: schnorr = newValue
            case .ecdsa: ecdsa = newValue
            case .ed25519: ed25519 = newValue
            }
        }
    }
}

extension [UInt8] {
    /// A message with a part for each key, one of which is changed.
    func changing(_ purpose: WalletKeyPurpose, _ change: ([UInt8]) -> [UInt8]) -> [UInt8] {
        guard var parts = try? PerWalletKey<[UInt8]>(decoding: self) else { return self }
        parts[purpose] = change(parts[purpose])
        return parts.encoded
    }
}

@Suite("Key generation under attack")
struct KeyGenerationAttackTests {
    /// Runs a key generation in which one message is changed, and checks that resulting shares belong together.
    private func run(_ attack: KeyGenerationAttack) async throws {
        let newcomers = try Newcomers(2, of: 3)
        let between = MiddleMan(newcomers.participants[1]) { passage in
            guard passage.direction == attack.direction, passage.step == attack.step else { return passage.bytes }
            let changed = attack.change(passage)
            #expect(changed != passage.bytes || attack.error == nil, "the attack changes nothing")
            return changed
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await newcomers.run(with: [newcomers.participants[0], between, newcomers.participants[2]])
        }
        #expect(failure == attack.error)
        let groups = await newcomers.groups().compactMap(\.self)
        #expect(Set(groups.map(\.encoded)).count <= 1, "shares of different keys")
        switch (attack.step, attack.direction) {
        case (11, .answer): #expect(groups.count >= 2)
        // The last message: the certificate. Participants who got the right one at the same time have their shares,
        // unless the abort comes first.
        case (11, .request): #expect(attack.error == nil ? groups.count == 3 : (1...2).contains(groups.count))
        default: #expect(groups.count == (attack.error == nil ? 3 : 0), "a share without a certificate")
        }
    }

    @Test("a change to any envelope is detected", arguments: KeyGenerationAttack.envelopes)
    func envelope(_ attack: KeyGenerationAttack) async throws { try await run(attack) }

    @Test(
        "a participant that cheats is caught, and named where it is certain",
        arguments: try KeyGenerationAttack.answers()
            + WalletKeyPurpose.allCases.flatMap(KeyGenerationAttack.answers(of:)))
    func answer(_ attack: KeyGenerationAttack) async throws { try await run(attack) }

    @Test("a message for one key is refused for another", arguments: try KeyGenerationAttack.mixes())
    func mix(_ attack: KeyGenerationAttack) async throws { try await run(attack) }

    @Test(
        "a coordinator that tells one participant something else is caught",
        arguments: try KeyGenerationAttack.requests()
            + WalletKeyPurpose.allCases.flatMap(KeyGenerationAttack.requests(of:)))
    func request(_ attack: KeyGenerationAttack) async throws { try await run(attack) }

    @Test("a participant refuses a threshold or a number of participants that it did not expect")
    func otherParameters() async throws {
        let parameters = try ThresholdParameters(threshold: 2, total: 3)
        // The coordinator announces 2 of 3; participant 3 expects 3 of 3.
        let told = try ThresholdParameters(threshold: 3, total: 3)
        var participants = try Newcomers(2, of: 3).participants
        participants[2] = SharingParticipant(
            index: try ParticipantIndex(3), generating: told, random: SystemRandom())
        let failure = await failureOf(parameters, participants)
        // The threshold is in the session's hash, so that its commitment is for another session.
        #expect(failure == .threshold(.sharing(.faulty([try KeyGenerationAttack.party(3)]))))

        // It expects 2 of 4, and is asked for one of three.
        participants[2] = SharingParticipant(
            index: try ParticipantIndex(3), generating: try ThresholdParameters(threshold: 2, total: 4),
            random: SystemRandom())
        participants[0] = SharingParticipant(
            index: try ParticipantIndex(1), generating: parameters, random: SystemRandom())
        participants[1] = SharingParticipant(
            index: try ParticipantIndex(2), generating: parameters, random: SystemRandom())
        let other = await failureOf(parameters, participants)
        #expect(other == .malformedMessage)
    }

    private func failureOf(
        _ parameters: ThresholdParameters, _ participants: [SharingParticipant]
    ) async -> CeremonyError? {
        await failure { () async throws(CeremonyError) in
            try await SharingCeremony(generating: parameters).run(with: participants, random: SystemRandom())
        }
    }

    @Test("a participant refuses an index that is not its own, and a group with another key at its index")
    func otherPlace() async throws {
        // Participant 2 takes the index of 3: the envelope would reveal it, and is corrected.
        let newcomers = try Newcomers(2, of: 3)
        let swapped = { (participant: SharingParticipant, index: Int) in
            MiddleMan(participant, posingAs: index) { passage in
                passage.direction == .answer ? passage.bytes.flipping(4, by: 1) : passage.bytes
            }
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await newcomers.run(
                with: [
                    newcomers.participants[0], swapped(newcomers.participants[2], 2),
                    swapped(newcomers.participants[1], 3),
                ])
        }
        #expect(failure == .threshold(.wrongGroup))
        #expect(await newcomers.groups().compactMap(\.self).isEmpty)
    }

    @Test("one host key for two participants is detected")
    func sameHostKey() async throws {
        let newcomers = try Newcomers(2, of: 3)
        let twin = MiddleMan(newcomers.participants[0], posingAs: 2) { passage in
            passage.direction == .answer ? passage.bytes.flipping(4, by: 3) : passage.bytes
        }
        let failure = await failure { () async throws(CeremonyError) in
            try await newcomers.run(with: [newcomers.participants[0], twin, newcomers.participants[2]])
        }
        // Asked twice for its host key, it gives the same one.
        let (one, two) = (try ParticipantIndex(1), try ParticipantIndex(2))
        #expect(failure == .threshold(.sharing(.duplicateHostKey(of: .receiver(one), and: .receiver(two)))))
        #expect(await newcomers.groups().compactMap(\.self).isEmpty)
    }

    @Test("a message of another run is refused, even in this run's envelope")
    func otherRun() async throws {
        // Steps 2 to 5 of another run among the same number of participants.
        let elsewhere = try Newcomers(2, of: 3)
        let listener = MiddleMan(listeningTo: elsewhere.participants[1])
        try await elsewhere.run(with: [elsewhere.participants[0], listener, elsewhere.participants[2]])
        let (requests, answers) = (await listener.requests, await listener.answers)
        let party = try KeyGenerationAttack.party(2)
        let expected: [(MiddleMan.Direction, Int, ThresholdError)] = [
            (.request, 2, .wrongGroup), (.answer, 2, .sharing(.faulty([party]))),
            (.request, 3, .sharing(.coordinator)), (.answer, 3, .sharing(.suspect(party, .commitment))),
            (.request, 4, .sharing(.coordinator)), (.answer, 4, .sharing(.faulty([party]))),
            (.request, 5, .sharing(.coordinator)),
        ]
        for (direction, step, error) in expected {
            let foreign = direction == .request ? requests[step - 1] : answers[step - 1]
            try await run(
                .message(direction, step, "of another run", .staleMessage) { _ in foreign })
            let payload = try CeremonyMessage(decoding: foreign).payload
            try await run(
                .message(direction, step, "of another run, in this run's envelope", .threshold(error)) {
                    $0.bytes.changingPayload { _ in payload }
                })
        }
    }
}
