import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold

/// If a golden message changes, participants of different versions cannot work together, and recovery data of earlier
/// versions are lost.
@Suite("DKG: messages")
struct DKGMessageTests {
    @Test("golden bytes: BIP-340, from the draft's own implementation")
    func bip340() throws {
        let known = try KnownKeyGeneration<DKG.BIP340>()
        #expect(known.messages.count == GoldenKeyGeneration.bip340.count)
        for (message, golden) in zip(known.messages, GoldenKeyGeneration.bip340) {
            #expect(hex(message.bytes) == golden, "\(message.name)")
        }
    }

    @Test("golden bytes: Ed25519")
    func ed25519() throws {
        let known = try KnownKeyGeneration<DKG.Ed25519>()
        #expect(known.messages.count == GoldenKeyGeneration.ed25519.count)
        for (message, golden) in zip(known.messages, GoldenKeyGeneration.ed25519) {
            #expect(hex(message.bytes) == golden, "\(message.name)")
        }
    }

    @Test("sizes are as documented")
    func sizes() throws {
        let one = try KeyGeneration<DKG.BIP340>(2, of: 3)
        let other = try KeyGeneration<DKG.Ed25519>(2, of: 3)
        func sizes<Suite>(_ generation: KeyGeneration<Suite>) throws -> [Int] {
            let messages = try generation.contribute()
            let coordinator = try DKG.Coordinator(session: generation.session, messages: messages)
            let first = generation.indices[0]
            let investigation = try coordinator.investigation(for: first)
            let signatures = try generation.sign(coordinator.message)
            let certificate = try coordinator.certify(signatures)
            return [
                messages[first]?.count ?? 0, coordinator.message.count, signatures[first]?.count ?? 0,
                certificate.message.count, investigation.count, certificate.recoveryData.encoded.count,
            ]
        }
        #expect(try sizes(one) == [295, 554, 100, 227, 231, 559])
        #expect(try sizes(other) == [292, 547, 100, 227, 228, 551])
    }

    @Test("the identity is encoded as zeros, which decode to no other point", arguments: KeyGenerationTests.suites)
    func identity(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            typealias Point = Tested.Suite.Group.Point
            let zeros = [UInt8](repeating: 0, count: Point.generator.encoded.count)
            #expect(throws: CurvesError.invalidPoint) { try Point(encoded: zeros) }
            let generation = try KeyGeneration<Tested.Suite>(2, of: 2)
            let bytes = try generation.contribute()
            for index in generation.indices {
                var message = try DKG.ParticipantMessage1<Tested.Suite>(
                    decoding: try #require(bytes[index]), from: index, in: generation.session)
                message.commitment = PolynomialCommitment(uncheckedCoefficients: [.identity, .identity])
                let encoded = message.encoded(from: index, in: generation.session)
                #expect(Array(encoded[36..<(36 + 2 * zeros.count)]) == zeros + zeros)
                let decoded = try DKG.ParticipantMessage1(decoding: encoded, from: index, in: generation.session)
                #expect(decoded == message)
            }
        }
        try check(tested)
    }

    /// Every decoder with mutated input: it decodes or throws, and never traps. Decoded values encode to the same
    /// bytes.
    @Test("fuzzed decoders", arguments: KeyGenerationTests.suites)
    func fuzz(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            typealias Suite = Tested.Suite
            let known = try KnownKeyGeneration<Suite>()
            let session = known.session
            let first = ParticipantIndex(unchecked: 1)
            func seeds(_ name: String) -> [[UInt8]] { known.messages.filter { $0.name.hasPrefix(name) }.map(\.bytes) }
            Fuzz.roundTrips(
                of: Array(seeds("participant message 1").prefix(1)), iterations: 5_000,
                decode: { try DKG.ParticipantMessage1<Suite>(decoding: $0, from: first, in: session) },
                encode: { $0.encoded(from: first, in: session) })
            Fuzz.roundTrips(
                of: seeds("coordinator message 1"), iterations: 5_000,
                decode: { try DKG.CoordinatorMessage1<Suite>(decoding: $0, in: session) },
                encode: { $0.encoded(in: session) })
            Fuzz.roundTrips(
                of: Array(seeds("participant message 2").prefix(1)),
                decode: { try DKG.ParticipantMessage2<Suite>(decoding: $0, from: first, in: session) },
                encode: { $0.encoded(from: first, in: session) })
            Fuzz.roundTrips(
                of: seeds("coordinator message 2"),
                decode: { try DKG.CoordinatorMessage2<Suite>(decoding: $0, in: session) },
                encode: { $0.encoded(in: session) })
            Fuzz.roundTrips(
                of: seeds("investigation"), iterations: 5_000,
                decode: { try DKG.InvestigationMessage<Suite>(decoding: $0, for: first, in: session) },
                encode: { $0.encoded(for: first, in: session) })
            Fuzz.roundTrips(
                of: seeds("recovery"), iterations: 5_000,
                decode: { try DKG.RecoveryData<Suite>(decoding: $0) }, encode: { $0.encoded })
            let data = try DKG.RecoveryData<Suite>(decoding: try #require(seeds("recovery").first))
            Fuzz.mutations(of: seeds("acknowledgement"), iterations: 2_000) { bytes in
                try? data.verify(acknowledgements: [first: bytes, ParticipantIndex(unchecked: 2): bytes])
            }
        }
        try check(tested)
    }

    @Test(
        "a session under fuzzed messages fails, or gives all who finish the same key",
        arguments: KeyGenerationTests.suites)
    func fuzzedSession(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let honest = try KeyGeneration<Tested.Suite>(2, of: 2).coordinate().message
            Fuzz.mutations(of: [honest], iterations: 150) { bytes in
                let generation = try KeyGeneration<Tested.Suite>(2, of: 2)
                let coordinator = try generation.coordinate()
                // The first participant sees another message than the second.
                let first = try? generation.parties[0].sign(bytes)
                let second = try generation.parties[1].sign(coordinator.message)
                guard let first else { return }
                let indices = generation.indices
                // It may differ in the participant's own proof of possession, which need not be shown.
                guard let certificate = try? coordinator.certify([indices[0]: first, indices[1]: second]) else {
                    #expect(bytes != honest)
                    return
                }
                for party in generation.parties {
                    let output = try party.activate(certificate.message)
                    #expect(try output.keyShare.group == certificate.recoveryData.group())
                }
            }
        }
        try check(tested)
    }
}
