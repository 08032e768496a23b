import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@Suite("DKG")
struct KeyGenerationTests {
    static let suites: [any SuiteUnderTest.Type] = [BIP340Generation.self, Ed25519Generation.self]
    static let sizes = [
        (2, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (2, 5), (3, 5), (4, 5), (5, 5), (2, 15), (15, 15),
    ]

    @Test(
        "all participants get shares of one key, which signs; and each gets its share again from the recovery data",
        arguments: suites, sizes)
    func run(_ tested: any SuiteUnderTest.Type, _ size: (Int, Int)) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let random = SeededRandom(seed: 71)
            let generation = try KeyGeneration<Tested.Suite>(size.0, of: size.1)
            let certificate = try generation.certificate()
            let group = try certificate.recoveryData.group()
            #expect(group.parameters == generation.session.parameters)
            #expect(try GroupKey(decoding: group.encoded) == group, "the shares lie on a polynomial of degree t - 1")

            let bytes = certificate.recoveryData.encoded
            let recovered = try DKG.RecoveryData<Tested.Suite>(decoding: bytes)
            #expect(recovered == certificate.recoveryData)
            #expect(recovered.session == generation.session)

            let signers = Array(generation.indices.shuffled(by: random).prefix(size.0)).sorted()
            var commitments: [FROST.Commitment<Tested.Suite.Group>] = []
            var signing: [Signer<Tested.Scheme>] = []
            for index in generation.indices {
                let party = generation.party(index)
                let output = try party.activate(certificate.message)
                #expect(output.keyShare.index == index)
                #expect(output.keyShare.group == group)
                #expect(output.recoveryData == recovered)
                let again = try recovered.keyShare(hostKey: party.hostKey)
                #expect(reveal(again.encoded()) == reveal(output.keyShare.encoded()))
                guard signers.contains(index) else { continue }
                let signer = Signer<Tested.Scheme>(output.takeKeyShare())
                commitments.append(signer.commit(random))
                signing.append(signer)
            }
            let message = [UInt8](repeating: 0x5a, count: 32)
            let package = try Tested.Scheme.package(group, commitments, message)
            let shares = try signing.map { try $0.sign(package) }
            let signature = try Tested.Scheme.aggregate(shares, package, group)
            #expect(Tested.Scheme.verifies(signature, message, group))
        }
        try check(tested)
    }

    @Test("the key is tweaked for taproot: it commits to no script (BIP-341)")
    func taproot() throws {
        let generation = try KeyGeneration<DKG.BIP340>(2, of: 3)
        let coordinator = try generation.coordinate()
        let message = try DKG.CoordinatorMessage1(decoding: coordinator.message, in: generation.session)
        let sum = message.constants.reduce(.identity, +)
        let tweak = Scalar<Secp256k1>(reducing: Curves.BIP340.taggedHash("TapTweak", sum.xOnly))
        let group = try coordinator.certify(generation.sign(coordinator.message)).recoveryData.group()
        #expect(group.publicKey == sum + Secp256k1.Point.generator.multipliedVariableTime(by: tweak))
    }

    @Test("all participants acknowledge the recovery data", arguments: suites)
    func acknowledgements(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let data = try generation.certificate().recoveryData
            var messages: [ParticipantIndex: [UInt8]] = [:]
            for index in generation.indices {
                let party = generation.party(index)
                messages[index] = try data.acknowledgement(hostKey: party.hostKey, random: party.random)
            }
            try data.verify(acknowledgements: messages)

            let second = try ParticipantIndex(2)
            var others = messages
            others[second]?[40] ^= 1
            #expect(throws: ThresholdError.faulty(culprits: [second])) { try data.verify(acknowledgements: others) }
            others[second] = messages[second, default: []] + [0]
            #expect(throws: ThresholdError.faulty(culprits: [second])) { try data.verify(acknowledgements: others) }
            others[second] = nil
            #expect(throws: ThresholdError.missingParticipant(second)) { try data.verify(acknowledgements: others) }
            // Another session's data is another message.
            let other = try KeyGeneration<Tested.Suite>(2, of: 3, seed: 70)
            _ = other.parties.map { $0.random.next() }
            let otherData = try other.certificate().recoveryData
            #expect(otherData != data)
            #expect(throws: ThresholdError.faulty(culprits: generation.indices)) {
                try otherData.verify(acknowledgements: messages)
            }
            #expect(throws: ThresholdError.keyGeneration(.foreignHostKey)) {
                try data.acknowledgement(
                    hostKey: DKG.HostKey(from: generation.parties[0].random), random: SystemRandom())
            }
        }
        try check(tested)
    }
}
