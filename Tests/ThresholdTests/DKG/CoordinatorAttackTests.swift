import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// A malicious coordinator can stop a session, and nothing else: no participant gets a share that others lack.
@Suite("DKG: a faulty coordinator")
struct CoordinatorAttackTests {
    private static let first = ParticipantAttackTests.first
    private static let second = ParticipantAttackTests.second
    private static let third = ParticipantAttackTests.third

    private static let faulty = ThresholdError.keyGeneration(.coordinator)

    @Test("a participant detects that its own part was changed", arguments: KeyGenerationTests.suites)
    func ownPart(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            func refused(_ change: (inout DKG.CoordinatorMessage1<Tested.Suite>) throws -> Void) throws {
                let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
                let message = try generation.change(generation.coordinate().message, change)
                #expect(throws: Self.faulty) { _ = try generation.party(Self.first).receive(message) }
            }
            try refused { $0.publicNonces[0][5] ^= 1 }
            try refused { $0.publicNonces[0] = $0.publicNonces[1] }
            // With a valid proof of another participant.
            try refused {
                $0.constants[0] = $0.constants[1]
                $0.proofs[0] = $0.proofs[1]
            }
            try refused { $0.constants[0] = .identity }
        }
        try check(tested)
    }

    @Test(
        "a message that is none, or of another session, is the coordinator's fault",
        arguments: KeyGenerationTests.suites)
    func wrongMessages(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            func refused(_ change: (inout [UInt8]) -> Void, _ comment: Comment) throws {
                let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
                var message = try generation.coordinate().message
                change(&message)
                #expect(throws: Self.faulty, comment) { _ = try generation.party(Self.first).receive(message) }
            }
            try refused({ $0.removeLast() }, "too short")
            try refused({ $0.append(0) }, "too long")
            try refused({ $0[5] ^= 1 }, "another session")
            try refused({ $0[1] = 0x20 }, "another kind")
            try refused({ $0[36] = 0xff }, "a constant coefficient that is no point")
        }
        try check(tested)
    }

    @Test(
        "a changed sum, share or nonce makes shares wrong, and the investigation blames the coordinator",
        arguments: KeyGenerationTests.suites)
    func changes(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            func verdict(
                _ change: (inout DKG.CoordinatorMessage1<Tested.Suite>) throws -> Void,
                _ lie: (inout DKG.InvestigationMessage<Tested.Suite>) -> Void = { _ in }
            ) throws -> DKG.Fault? {
                let generation = try KeyGeneration<Tested.Suite>(3, of: 3)
                let coordinator = try generation.coordinate()
                return try generation.party(Self.first).verdict(
                    after: generation.change(coordinator.message, change),
                    investigation: { index in
                        var message = try DKG.InvestigationMessage(
                            decoding: coordinator.investigation(for: index), for: index, in: generation.session)
                        lie(&message)
                        return message.encoded(for: index, in: generation.session)
                    }, as: Self.first)
            }
            #expect(try verdict({ _ in }) == nil, "nothing was changed")
            #expect(try verdict { $0.sums[0] = $0.sums[0] + .generator } == .coordinator, "tampered commitment")
            #expect(try verdict { $0.sums[1] = .identity } == .coordinator)
            #expect(try verdict { $0.encryptedShares[0] = $0.encryptedShares[0] + .one } == .coordinator)
            #expect(try verdict { $0.encryptedShares.swapAt(0, 1) } == .coordinator)

            // It shows other parts, which add up to its earlier message: the lie is then in one of them.
            let added: (inout DKG.CoordinatorMessage1<Tested.Suite>) -> Void = {
                $0.encryptedShares[0] = $0.encryptedShares[0] + .one
            }
            #expect(
                try verdict(added) { $0.encryptedShares[0] = $0.encryptedShares[0] + .one } == .coordinator,
                "the own share is known to be right")
            // As the draft says: a lying participant cannot be distinguished from a coordinator that lies about it.
            #expect(
                try verdict(added) { $0.encryptedShares[1] = $0.encryptedShares[1] + .one } == .suspect(Self.second))
            // But the parts must add up to its earlier message.
            let two = Scalar<Tested.Suite.Group>(2)
            #expect(try verdict(added) { $0.encryptedShares[1] = $0.encryptedShares[1] + two } == .coordinator)
            let summed: (inout DKG.CoordinatorMessage1<Tested.Suite>) -> Void = { $0.sums[0] = $0.sums[0] + .generator }
            #expect(
                try verdict(summed) { $0.publicShares[1] = $0.publicShares[1] + .generator } == .suspect(Self.second))
            #expect(
                try verdict(summed) { $0.publicShares[1] = $0.publicShares[1] + .generator + .generator }
                    == .coordinator)
        }
        try check(tested)
    }

    @Test(
        "an investigation message that is none, or for another, is the coordinator's fault; a foreign key is refused",
        arguments: KeyGenerationTests.suites)
    func investigations(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let coordinator = try generation.coordinate()
            let message = try generation.change(coordinator.message) {
                $0.encryptedShares[0] = $0.encryptedShares[0] + .one
            }
            let hostKeys = generation.parties
            switch try generation.party(Self.first).receive(message) {
            case .pending: Issue.record("a wrong share is accepted")
            case .wrongShare(let investigation):
                func verdict(_ message: [UInt8], _ party: Int = 0) throws -> DKG.Fault {
                    try investigation.verdict(on: message, hostKey: hostKeys[party].hostKey)
                }
                #expect(try verdict([]) == .coordinator)
                #expect(try verdict(coordinator.investigation(for: Self.second)) == .coordinator)
                #expect(throws: ThresholdError.keyGeneration(.foreignHostKey)) {
                    try verdict(coordinator.investigation(for: Self.first), 1)
                }
            }
            #expect(throws: ThresholdError.unknownParticipant(ParticipantIndex(unchecked: 4))) {
                try coordinator.investigation(for: ParticipantIndex(unchecked: 4))
            }
        }
        try check(tested)
    }

    @Test(
        "dkg_equivocation_detected_by_transcript: participants who were told different things get no shares",
        arguments: KeyGenerationTests.suites)
    func equivocation(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            // The message to the second differs in a way that does not affect its own share.
            let changes: [(inout DKG.CoordinatorMessage1<Tested.Suite>) -> Void] = [
                { $0.encryptedShares[0] = $0.encryptedShares[0] + .one },
                { $0.encryptedShares[2] = .zero },
            ]
            for change in changes {
                let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
                let coordinator = try generation.coordinate()
                let message = coordinator.message
                let other = try generation.change(message, change)
                var signatures: [ParticipantIndex: [UInt8]] = [:]
                for index in generation.indices {
                    signatures[index] = try generation.party(index).sign(index == Self.second ? other : message)
                }
                // An honest coordinator would detect that; this one relays the signatures unchanged.
                #expect(throws: ThresholdError.faulty(culprits: [Self.second])) { try coordinator.certify(signatures) }
                let certificate = DKG.CoordinatorMessage2<Tested.Suite>(
                    signatures: generation.indices.map { Array(signatures[$0, default: []].suffix(64)) })
                for index in generation.indices {
                    #expect(throws: Self.faulty) {
                        _ = try generation.party(index).activate(certificate.encoded(in: generation.session))
                    }
                }
            }
        }
        try check(tested)
    }

    @Test(
        "no share without the certificate: each participant's signature must be there",
        arguments: KeyGenerationTests.suites)
    func missingCertificate(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let other = try KeyGeneration<Tested.Suite>(2, of: 3, seed: 90).certificate()
            for number in 0..<8 {
                let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
                let message = try generation.certificate().message
                var certificate = try DKG.CoordinatorMessage2<Tested.Suite>(decoding: message, in: generation.session)
                switch number {
                case 0: certificate.signatures[1][0] ^= 1
                case 1: certificate.signatures[2][63] ^= 1
                case 2: certificate.signatures.swapAt(1, 2)
                case 3: certificate.signatures[2] = certificate.signatures[0]
                // The own signature too: it becomes part of the recovery data.
                case 4: certificate.signatures[0][0] ^= 1
                case 5: certificate.signatures.removeLast()
                case 6: certificate.signatures.append(certificate.signatures[0])
                default: break
                }
                let bytes = number == 7 ? other.message : certificate.encoded(in: generation.session)
                #expect(throws: Self.faulty, "\(number)") { _ = try generation.party(Self.first).activate(bytes) }
            }
        }
        try check(tested)
    }

    @Test("a certificate of an earlier run of the same participants is refused", arguments: KeyGenerationTests.suites)
    func replay(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let earlier = try generation.certificate()
            let later = try generation.certificate()
            #expect(earlier.recoveryData.session == later.recoveryData.session)
            #expect(earlier != later)
            #expect(throws: Self.faulty) { _ = try generation.party(Self.first).activate(earlier.message) }
        }
        try check(tested)
    }
}
