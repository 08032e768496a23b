import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold

@Suite("DKG: recovery data")
struct RecoveryTests {
    @Test(
        "each bit is meant: recovery data with any of them changed is refused, and so is less or more of it",
        arguments: KeyGenerationTests.suites)
    func tampered(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let bytes = try KeyGeneration<Tested.Suite>(2, of: 3).certificate().recoveryData.encoded
            _ = try DKG.RecoveryData<Tested.Suite>(decoding: bytes)
            for offset in bytes.indices {
                for bit in [0, 7] {
                    var other = bytes
                    other[offset] ^= 1 << bit
                    #expect(throws: ThresholdError.self, "byte \(offset)") {
                        try DKG.RecoveryData<Tested.Suite>(decoding: other)
                    }
                }
                #expect(throws: ThresholdError.self) {
                    try DKG.RecoveryData<Tested.Suite>(decoding: Array(bytes[..<offset]))
                }
            }
            #expect(throws: ThresholdError.malformed(.truncated)) {
                try DKG.RecoveryData<Tested.Suite>(decoding: bytes + [0])
            }
        }
        try check(tested)
    }

    @Test("errors in the recovery data are reported", arguments: KeyGenerationTests.suites)
    func errors(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let point = Tested.Suite.Group.Point.generator.encoded.count
            let bytes = try KeyGeneration<Tested.Suite>(2, of: 3).certificate().recoveryData.encoded
            let hostKeys = 7 + 2 * point
            func refused(_ error: ThresholdError, _ change: (inout [UInt8]) -> Void) {
                var other = bytes
                change(&other)
                #expect(throws: error) { try DKG.RecoveryData<Tested.Suite>(decoding: other) }
            }
            refused(.malformed(.unsupported)) { $0[1] = 0x21 }
            refused(.invalidParameters) { $0[6] = 16 }
            refused(.invalidParameters) { $0[3] = 255 }
            refused(.invalidElement) {
                $0.replaceSubrange(7..<(7 + point), with: [UInt8](repeating: 255, count: point))
            }
            refused(
                .keyGeneration(.duplicateHostKey(of: ParticipantAttackTests.first, and: ParticipantAttackTests.second))
            ) {
                $0.replaceSubrange(
                    (hostKeys + point)..<(hostKeys + 2 * point), with: bytes[hostKeys..<(hostKeys + point)])
            }
            refused(.keyGeneration(.invalidHostKey(of: ParticipantAttackTests.third))) {
                $0.replaceSubrange(
                    (hostKeys + 2 * point)..<(hostKeys + 3 * point), with: [UInt8](repeating: 255, count: point))
            }
            for position in 1...3 {
                refused(.keyGeneration(.invalidCertificate)) { $0[bytes.count - 64 * position + 5] ^= 1 }
            }
        }
        try check(tested)
    }

    @Test("a host key that did not take part recovers nothing", arguments: KeyGenerationTests.suites)
    func foreign(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let data = try KeyGeneration<Tested.Suite>(2, of: 3).certificate().recoveryData
            #expect(throws: ThresholdError.keyGeneration(.foreignHostKey)) {
                _ = try data.keyShare(hostKey: DKG.HostKey(from: SeededRandom(seed: 75)))
            }
        }
        try check(tested)
    }

    /// Participants who sign by hand what step 2 would have refused.
    private func certify<Suite>(
        in generation: KeyGeneration<Suite>, _ change: (inout [UInt8]) throws -> Void
    ) throws -> DKG.RecoveryData<Suite> {
        var transcript = Array(
            try generation.certificate().recoveryData.encoded.dropLast(64 * generation.parties.count))
        try change(&transcript)
        var prefix = Array((Suite.domain + "certeq message").utf8)
        prefix += [UInt8](repeating: 0, count: 33 - prefix.count)
        var signed = transcript
        for (number, party) in generation.parties.enumerated() {
            signed += try Suite.sign(
                prefix + [0, 0, 0, UInt8(number)] + transcript.dropFirst(3),
                hostKey: SecretScalar(canonical: party.hostKey.encoded()),
                auxiliary: SecretBytes(count: 32, from: party.random))
        }
        return try DKG.RecoveryData(decoding: signed)
    }

    @Test("participants who all certify a wrong share do not make it valid", arguments: KeyGenerationTests.suites)
    func wrongShare(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let data = try certify(in: generation) { transcript in
                let position = transcript.count - 3 * 32
                let share = try Scalar<Tested.Suite.Group>(canonical: transcript[position..<(position + 32)])
                transcript.replaceSubrange(position..<(position + 32), with: (share + .one).encoded)
            }
            #expect(throws: ThresholdError.inconsistentKey) {
                _ = try data.keyShare(hostKey: generation.parties[0].hostKey)
            }
            _ = try data.keyShare(hostKey: generation.parties[1].hostKey)
        }
        try check(tested)
    }

    @Test(
        "participants who certify what is no key, or a nonce that is no point, get none",
        arguments: KeyGenerationTests.suites)
    func noKey(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let size = generation.parties[0].hostKey.publicKey.encoded.count
            for coefficient in 0...1 {
                let data = try certify(in: generation) { transcript in
                    let position = 7 + coefficient * size
                    transcript.replaceSubrange(
                        position..<(position + size), with: [UInt8](repeating: 0, count: size))
                }
                #expect(throws: ThresholdError.inconsistentKey) { try data.group() }
                #expect(throws: ThresholdError.inconsistentKey) {
                    _ = try data.keyShare(hostKey: generation.parties[0].hostKey)
                }
            }
            let data = try certify(in: generation) { transcript in
                let position = 7 + 2 * size + 3 * size + size
                transcript.replaceSubrange(position..<(position + size), with: [UInt8](repeating: 0, count: size))
            }
            #expect(throws: ThresholdError.keyGeneration(.suspect(ParticipantAttackTests.second))) {
                _ = try data.keyShare(hostKey: generation.parties[0].hostKey)
            }
        }
        try check(tested)
    }
}
