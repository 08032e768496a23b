import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// Malicious participants and faulty set-ups: who detects them, and who is named.
@Suite("DKG: faulty participants")
struct ParticipantAttackTests {
    static let first = ParticipantIndex(unchecked: 1)
    static let second = ParticipantIndex(unchecked: 2)
    static let third = ParticipantIndex(unchecked: 3)

    @Test("dkg_rogue_key_rejected: a sender without its key's secret is named", arguments: KeyGenerationTests.suites)
    func rogueKey(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            func refused(
                _ change:
                    @escaping (inout DKG.ParticipantMessage1<Tested.Suite>, [DKG.ParticipantMessage1<Tested.Suite>]) ->
                    Void,
                _ comment: Comment
            ) throws {
                let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
                var earlier: [DKG.ParticipantMessage1<Tested.Suite>] = []
                let messages = try generation.contribute { index, message in
                    if index == Self.second { change(&message, earlier) }
                    earlier.append(message)
                }
                let coordinator = try DKG.Coordinator(session: generation.session, messages: messages)
                #expect(throws: ThresholdError.keyGeneration(.suspect(Self.second)), comment) {
                    _ = try generation.party(Self.first).receive(coordinator.message)
                }
            }
            func replace(_ message: inout DKG.ParticipantMessage1<Tested.Suite>, constant: Tested.Suite.Group.Point) {
                message.commitment = PolynomialCommitment(
                    uncheckedCoefficients: [constant] + message.commitment.coefficients.dropFirst())
            }
            try refused(
                { message, earlier in
                    // A key of the attacker's choice, minus that of the first participant.
                    replace(&message, constant: .generator - earlier[0].commitment.constant)
                }, "the difference to a key that it knows")
            try refused(
                { message, earlier in
                    replace(&message, constant: earlier[0].commitment.constant)
                    message.proof = earlier[0].proof
                }, "another participant's key, with its proof")
            try refused({ message, _ in replace(&message, constant: .identity) }, "no key")
            try refused({ message, _ in message.proof[0] ^= 1 }, "a proof of which the nonce is another")
            try refused({ message, _ in message.proof[40] ^= 1 }, "a proof of which the answer is another")
            try refused(
                { message, _ in message.proof.replaceSubrange(32..<64, with: [UInt8](repeating: 255, count: 32)) },
                "a proof of which the answer is no scalar")
        }
        try check(tested)
    }

    @Test("a participant that sends a wrong share is named by its receiver", arguments: KeyGenerationTests.suites)
    func wrongShare(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let messages = try generation.contribute { index, message in
                if index == Self.second { message.encryptedShares[0] = message.encryptedShares[0] + .one }
            }
            let coordinator = try DKG.Coordinator(session: generation.session, messages: messages)
            let verdict = try generation.party(Self.first).verdict(
                after: coordinator.message, investigation: coordinator.investigation, as: Self.first)
            #expect(verdict == .suspect(Self.second))
            // Without an investigation, only the fact of a fault is known.
            #expect(throws: ThresholdError.keyGeneration(.wrongShare)) {
                try again(generation, messages).party(Self.first).sign(coordinator.message)
            }
            // The others got valid shares. Without the first one's signature these are useless.
            var signatures = [Self.second: try generation.party(Self.second).sign(coordinator.message)]
            signatures[Self.third] = try generation.party(Self.third).sign(coordinator.message)
            #expect(throws: ThresholdError.missingParticipant(Self.first)) { try coordinator.certify(signatures) }
        }
        try check(tested)
    }

    /// The same session, started again with the same random bytes.
    private func again<Suite>(
        _ generation: KeyGeneration<Suite>, _ messages: [ParticipantIndex: [UInt8]]
    ) throws -> KeyGeneration<Suite> {
        let other = try KeyGeneration<Suite>(generation.session.parameters.threshold, of: generation.parties.count)
        _ = try other.contribute()
        return other
    }

    @Test("a participant that commits to a polynomial it did not share is named", arguments: KeyGenerationTests.suites)
    func wrongPolynomial(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            for change in [Tested.Suite.Group.Point.generator, .identity] {
                let generation = try KeyGeneration<Tested.Suite>(3, of: 3)
                let messages = try generation.contribute { index, message in
                    guard index == Self.third else { return }
                    var coefficients = message.commitment.coefficients
                    coefficients[2] = change
                    message.commitment = PolynomialCommitment(uncheckedCoefficients: coefficients)
                }
                let coordinator = try DKG.Coordinator(session: generation.session, messages: messages)
                for index in [Self.first, Self.second] {
                    let verdict = try generation.party(index).verdict(
                        after: coordinator.message, investigation: coordinator.investigation, as: index)
                    #expect(verdict == .suspect(Self.third))
                }
            }
        }
        try check(tested)
    }

    @Test("a participant that sends a malformed nonce point is named", arguments: KeyGenerationTests.suites)
    func wrongNonce(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            for byte: UInt8 in [0, 1, 255] {
                let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
                let messages = try generation.contribute { index, message in
                    guard index == Self.second else { return }
                    message.publicNonce = [UInt8](repeating: byte, count: message.publicNonce.count)
                }
                let coordinator = try DKG.Coordinator(session: generation.session, messages: messages)
                #expect(throws: ThresholdError.keyGeneration(.suspect(Self.second))) {
                    _ = try generation.party(Self.first).receive(coordinator.message)
                }
            }
        }
        try check(tested)
    }

    @Test(
        "messages that are none, or of another session or participant, are named; and so are those that are missing",
        arguments: KeyGenerationTests.suites)
    func wrongMessages(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let session = generation.session
            let messages = try generation.contribute()
            func coordinate(_ change: (inout [ParticipantIndex: [UInt8]]) throws -> Void) throws {
                var changed = messages
                try change(&changed)
                _ = try DKG.Coordinator(session: session, messages: changed)
            }
            try coordinate { _ in }
            let named = ThresholdError.faulty(culprits: [Self.third])
            #expect(throws: named, "a second time under another name") {
                try coordinate { $0[Self.third] = $0[Self.second] }
            }
            #expect(throws: named, "too short") { try coordinate { $0[Self.third]?.removeLast() } }
            #expect(throws: named, "too long") { try coordinate { $0[Self.third]?.append(0) } }
            #expect(throws: named, "a commitment that is no point") { try coordinate { $0[Self.third]?[37] ^= 0xff } }
            #expect(throws: named, "another session's, with another threshold") {
                let other = try DKG.Session<Tested.Suite>(
                    threshold: 3, hostKeys: session.hostKeys.map(\.encoded))
                try coordinate { $0[Self.third] = try generation.party(Self.third).contribute(to: other) }
            }
            #expect(throws: ThresholdError.faulty(culprits: [Self.first, Self.third]), "all culprits at once") {
                try coordinate {
                    $0[Self.third] = []
                    $0[Self.first] = [1, 2, 3]
                }
            }
            #expect(throws: ThresholdError.missingParticipant(Self.second)) { try coordinate { $0[Self.second] = nil } }
            #expect(throws: ThresholdError.unknownParticipant(ParticipantIndex(unchecked: 4))) {
                try coordinate { $0[ParticipantIndex(unchecked: 4)] = $0[Self.first] }
            }
        }
        try check(tested)
    }

    @Test("a participant that does not sign the transcript is named", arguments: KeyGenerationTests.suites)
    func wrongSignature(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let coordinator = try generation.coordinate()
            let signatures = try generation.sign(coordinator.message)
            func certify(_ change: (inout [ParticipantIndex: [UInt8]]) throws -> Void) throws {
                var changed = signatures
                try change(&changed)
                _ = try coordinator.certify(changed)
            }
            try certify { _ in }
            #expect(throws: ThresholdError.faulty(culprits: [Self.second])) {
                try certify { $0[Self.second]?[50] ^= 1 }
            }
            #expect(throws: ThresholdError.faulty(culprits: [Self.second]), "another participant's signature") {
                try certify {
                    $0[Self.second]?.replaceSubrange(36..., with: signatures[Self.first, default: []][36...])
                }
            }
            #expect(throws: ThresholdError.faulty(culprits: [Self.second]), "another participant's message") {
                try certify { $0[Self.second] = $0[Self.first] }
            }
            #expect(throws: ThresholdError.faulty(culprits: [Self.second, Self.third])) {
                try certify {
                    $0[Self.second]?[60] ^= 1
                    $0[Self.third]?[90] ^= 1
                }
            }
            #expect(throws: ThresholdError.missingParticipant(Self.second)) { try certify { $0[Self.second] = nil } }
        }
        try check(tested)
    }

    @Test(
        "a session with a repeated or invalid host key, or a wrong threshold, is refused",
        arguments: KeyGenerationTests.suites)
    func sessions(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let keys = try KeyGeneration<Tested.Suite>(2, of: 4).session.hostKeys.map(\.encoded)
            func refused(_ error: ThresholdError, _ threshold: Int, _ keys: [[UInt8]]) {
                #expect(throws: error) { try DKG.Session<Tested.Suite>(threshold: threshold, hostKeys: keys) }
            }
            for threshold in [-1, 0, 1, 5, .max] { refused(.invalidParameters, threshold, keys) }
            refused(.invalidParameters, 2, [])
            refused(.invalidParameters, 2, [keys[0]])
            refused(.invalidParameters, 2, Array(repeating: keys[0], count: 16))
            refused(
                .keyGeneration(.duplicateHostKey(of: Self.second, and: Self.third)), 2,
                [keys[0], keys[1], keys[1], keys[2]])
            let broken: [[UInt8]] = [
                [], keys[2] + [0], Array(keys[2].dropLast()), [UInt8](repeating: 0, count: keys[2].count),
                [UInt8](repeating: 255, count: keys[2].count),
            ]
            for key in broken {
                refused(.keyGeneration(.invalidHostKey(of: Self.third)), 2, [keys[0], keys[1], key, keys[3]])
            }
            // The hash covers the order and the threshold too.
            let hashes = try [(2, keys), (3, keys), (2, keys.reversed()), (2, Array(keys.dropLast()))].map {
                try DKG.Session<Tested.Suite>(threshold: $0.0, hostKeys: $0.1).hash
            }
            #expect(Set(hashes).count == hashes.count)
        }
        try check(tested)
    }

    @Test(
        "a host key of another session, and zero randomness, are refused",
        arguments: KeyGenerationTests.suites)
    func hostKeys(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let stranger = DKG.HostKey<Tested.Suite>(from: SeededRandom(seed: 72))
            #expect(throws: ThresholdError.keyGeneration(.foreignHostKey)) {
                _ = try DKG.Contribution(
                    hostKey: stranger, session: generation.session, random: SeededRandom(seed: 73))
            }
            #expect(throws: ThresholdError.keyGeneration(.brokenRandomness)) {
                _ = try DKG.Contribution(
                    hostKey: generation.parties[0].hostKey, session: generation.session,
                    random: PrescribedRandom(bytes: [UInt8](repeating: 0, count: 32)))
            }
            let coordinator = try generation.coordinate()
            for other in [Self.second, Self.third] {
                _ = try generation.party(Self.first).contribute(to: generation.session)
                #expect(throws: ThresholdError.keyGeneration(.foreignHostKey)) {
                    _ = try generation.party(Self.first).receive(
                        coordinator.message, withKeyOf: generation.party(other))
                }
            }
            let invalid = [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32), [], [1]]
            for bytes in invalid {
                #expect(throws: ThresholdError.invalidElement) {
                    _ = try DKG.HostKey<Tested.Suite>(decoding: secret(bytes))
                }
            }
        }
        try check(tested)
    }

    @Test("repeated random bytes encrypt nothing twice with the same pad", arguments: KeyGenerationTests.suites)
    func repeatedRandomness(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 4)
            let keys = generation.session.hostKeys.map(\.encoded)
            let random = PrescribedRandom(bytes: [UInt8](repeating: 7, count: 32))
            var nonces: [[UInt8]] = []
            var constants: [[UInt8]] = []
            for (threshold, keys) in [(2, keys), (3, keys), (2, Array(keys.dropLast())), (2, keys.reversed())] {
                let session = try DKG.Session<Tested.Suite>(threshold: threshold, hostKeys: keys)
                for party in generation.parties.prefix(2) {
                    let made = try DKG.Contribution(hostKey: party.hostKey, session: session, random: random)
                    let message = try DKG.ParticipantMessage1(decoding: made.message, from: made.index, in: session)
                    nonces.append(message.publicNonce)
                    constants.append(message.commitment.constant.encoded)
                }
            }
            #expect(Set(nonces).count == nonces.count)
            #expect(Set(constants).count == constants.count)
        }
        try check(tested)
    }

    @Test("a host signature is not a proof of possession, nor the reverse", arguments: KeyGenerationTests.suites)
    func purposes(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            typealias Suite = Tested.Suite
            for seed: UInt64 in 80..<84 {
                let random = SeededRandom(seed: seed)
                let key = SecretScalar<Suite.Group>(from: random)
                let publicKey = key.timesGenerator()
                let message: [UInt8] = [0, 0, 0, 1]
                let auxiliary = SecretBytes(count: 32, from: random)
                let proof = Suite.provePossession(
                    of: key, publicKey: publicKey, message: message, auxiliary: auxiliary)
                let signature = try Suite.sign(message, hostKey: key, auxiliary: auxiliary)
                #expect(Suite.isProofOfPossession(proof, of: publicKey, message: message))
                #expect(Suite.isValid(signature: signature, message: message, hostKey: publicKey))
                #expect(!Suite.isProofOfPossession(signature, of: publicKey, message: message))
                #expect(!Suite.isValid(signature: proof, message: message, hostKey: publicKey))
                // It is valid for nothing else: another message, another key, another size.
                #expect(!Suite.isProofOfPossession(proof, of: publicKey, message: [0, 0, 0, 2]))
                #expect(!Suite.isValid(signature: signature, message: [0, 0, 0, 2], hostKey: publicKey))
                #expect(!Suite.isProofOfPossession(proof, of: publicKey + .generator, message: message))
                #expect(!Suite.isValid(signature: signature, message: message, hostKey: publicKey + .generator))
                for size in [0, 32, 63, 65] {
                    let bytes = Array((proof + proof).prefix(size))
                    #expect(!Suite.isProofOfPossession(bytes, of: publicKey, message: message))
                    #expect(!Suite.isValid(signature: bytes, message: message, hostKey: publicKey))
                }
                #expect(!Suite.isProofOfPossession(proof, of: .identity, message: message))
            }
        }
        try check(tested)
    }

    @Test("a proof whose nonce is the identity, or of the other parity, is refused")
    func bip340Proofs() throws {
        let message: [UInt8] = [0, 0, 0, 1]
        for seed: UInt64 in 85..<93 {
            let random = SeededRandom(seed: seed)
            let any = SecretScalar<Secp256k1>(from: random)
            let key = any.timesGenerator().hasEvenY ? any.clone() : any.negated()
            let publicKey = key.timesGenerator()
            func proof(_ commitment: [UInt8], _ nonce: borrowing SecretScalar<Secp256k1>) -> [UInt8] {
                let challenge = Scalar<Secp256k1>(
                    reducing: DKG.BIP340.hash("pop message/challenge", commitment + publicKey.xOnly + message))
                return commitment + (nonce + key * challenge).revealed().encoded
            }
            let nonce = SecretScalar<Secp256k1>(from: random)
            let point = nonce.timesGenerator()
            // An odd nonce is negated. Without that, the proof is of a point that has the same x.
            #expect(
                DKG.BIP340.isProofOfPossession(proof(point.xOnly, nonce), of: publicKey, message: message)
                    == point.hasEvenY)
            let nothing = SecretScalar<Secp256k1>(.zero)
            #expect(
                !DKG.BIP340.isProofOfPossession(proof(point.xOnly, nothing), of: publicKey, message: message))
        }
    }

    @Test("a proof whose nonce is the identity, or whose key is the identity, is refused")
    func ed25519Proofs() throws {
        let message: [UInt8] = [0, 0, 0, 1]
        let random = SeededRandom(seed: 94)
        let key = SecretScalar<Curves.Ed25519>(from: random)
        let publicKey = key.timesGenerator()
        let one: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        func proof(_ commitment: [UInt8], _ encodedKey: [UInt8]) -> Scalar<Curves.Ed25519> {
            Scalar(reducing: DKG.Ed25519.hash("pop message/challenge", commitment + encodedKey + message))
        }
        let answer = (key * proof(one, publicKey.encoded)).revealed().encoded
        #expect(!DKG.Ed25519.isProofOfPossession(one + answer, of: publicKey, message: message))
        let nonce = SecretScalar<Curves.Ed25519>(from: random)
        let commitment = nonce.timesGenerator().encoded
        #expect(
            !DKG.Ed25519.isProofOfPossession(
                commitment + nonce.revealed().encoded, of: .identity, message: message))
    }
}
