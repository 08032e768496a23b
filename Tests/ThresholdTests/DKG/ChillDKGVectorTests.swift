import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// All published vectors of ChillDKG.
///
/// They contain the draft's messages, which follow a header in ours. The draft numbers participants from 0. For a wrong
/// length the library reports a malformed message of its sender; random input cannot have a wrong length.
@Suite("DKG: ChillDKG vectors")
struct ChillDKGVectorTests {
    typealias Suite = DKG.BIP340
    typealias Session = DKG.Session<DKG.BIP340>

    /// Counts the cases that were run, for comparison with the number that the file had when it was published.
    final class Tally { var cases = 0 }

    func file(_ name: String, of count: Int, _ run: (JSON, Tally) throws -> Void) throws {
        let tally = Tally()
        for group in try Vectors.json("chilldkg/\(name)").array { try run(group, tally) }
        #expect(tally.cases == count, "of \(name)")
    }

    func each(_ cases: JSON, _ tally: Tally, _ run: (JSON) throws -> Void) throws {
        for test in try cases.array {
            tally.cases += 1
            try run(test)
        }
    }

    // MARK: Conversion of the vectors' values

    func session(_ params: JSON) throws -> Session {
        let keys = try params["hostpubkeys"].array.map { try $0.bytes }
        return try Session(
            parameters: ThresholdParameters(
                uncheckedThreshold: Int(try params["t"].integer), total: keys.count), hostKeys: keys)
    }

    func hostKey(_ key: JSON) throws -> DKG.HostKey<Suite> { try DKG.HostKey(decoding: secret(try key.bytes)) }

    func frame(_ code: UInt8, _ session: Session, _ index: Int? = nil, _ body: [UInt8]) -> [UInt8] {
        [1, code, 1] + session.hash + (index.map { [UInt8($0)] } ?? []) + body
    }

    func frames(_ code: UInt8, _ session: Session, _ bodies: [JSON]) throws -> [ParticipantIndex: [UInt8]] {
        var frames: [ParticipantIndex: [UInt8]] = [:]
        for (position, body) in bodies.enumerated() {
            frames[try ParticipantIndex(position + 1)] = frame(code, session, position + 1, try body.bytes)
        }
        return frames
    }

    func contribution(_ test: JSON, _ key: borrowing DKG.HostKey<Suite>) throws -> DKG.Contribution<Suite> {
        try DKG.Contribution(
            hostKey: key, session: try session(test["params"]),
            random: PrescribedRandom(bytes: try test["random"].bytes))
    }

    func check(_ group: GroupKey<Secp256k1>, _ output: JSON) throws {
        #expect(group.publicKey.encoded == (try output["threshPk"].bytes))
        #expect(try group.verificationShares.map(\.encoded) == output["pubshares"].array.map { try $0.bytes })
    }

    func check(_ share: borrowing KeyShare<Secp256k1>, _ output: JSON) throws {
        try check(share.group, output)
        #expect(reveal(share.secret.encoded()) == (try output["secshare"].bytes))
    }

    /// Checks that `body` fails as the case says.
    func fails(_ test: JSON, _ body: () throws -> Void) throws {
        let expected = test["error"]
        let comment = Comment(rawValue: "\(expected)")
        let error = try #require(throws: ThresholdError.self, comment, performing: body)
        func index(_ key: String) throws -> ParticipantIndex {
            try ParticipantIndex(Int(try expected[key].integer) + 1)
        }
        let isExpected =
            switch try expected["type"].string {
            case "ValueError": [.invalidElement, .keyGeneration(.coordinator)].contains(error) || error.isAboutMessages
            case "HostSeckeyError": [.invalidElement, .keyGeneration(.foreignHostKey)].contains(error)
            case "ThresholdOrCountError": error == .invalidParameters
            case "InvalidHostPubkeyError": error == .keyGeneration(.invalidHostKey(of: try index("participantId")))
            case "DuplicateHostPubkeyError":
                error
                    == .keyGeneration(
                        .duplicateHostKey(of: try index("participantId1"), and: try index("participantId2")))
            case "RandomnessError": error == .keyGeneration(.brokenRandomness)
            case "FaultyParticipantError": error == .faulty(culprits: [try index("participantId")])
            case "FaultyParticipantOrCoordinatorError":
                error == .keyGeneration(.suspect(try index("participantId")))
            case "FaultyCoordinatorError": error == .keyGeneration(.coordinator)
            case "UnknownFaultyParticipantOrCoordinatorError": error == .keyGeneration(.wrongShare)
            case "RecoveryDataError": error.isAboutRecovery(try expected["fault"].string)
            default: false
            }
        #expect(isExpected, "\(comment): \(error)")
    }

    // MARK: The functions

    @Test("hostpubkey_gen")
    func hostKeys() throws {
        try file("hostpubkey_gen", of: 4) { group, tally in
            try each(group["valid"], tally) { test in
                let key = try hostKey(test["hostseckey"])
                #expect(key.publicKey.encoded == (try test["expectedHostpubkey"].bytes))
                #expect(reveal(key.encoded()) == (try test["hostseckey"].bytes))
            }
            try each(group["errors"], tally) { test in
                try fails(test) { _ = try hostKey(test["hostseckey"]) }
            }
        }
    }

    @Test("params_hash")
    func parameters() throws {
        try file("params_hash", of: 6) { group, tally in
            try each(group["valid"], tally) { test in
                let session = try session(test["params"])
                #expect(session.hash == (try test["expectedParamsHash"].bytes))
            }
            try each(group["errors"], tally) { test in try fails(test) { _ = try session(test["params"]) } }
        }
    }

    @Test("participant_step1")
    func participantStep1() throws {
        try file("participant_step1", of: 52) { group, tally in
            try each(group["valid"], tally) { test in
                let contribution = try contribution(test, try hostKey(test["hostseckey"]))
                let body = try test["expectedPmsg1"].bytes
                #expect(contribution.message == frame(0x20, contribution.session, contribution.index.value, body))
            }
            try each(group["errors"], tally) { test in
                guard try test["random"].bytes.count == 32 else { return }
                try fails(test) { _ = try contribution(test, try hostKey(test["hostseckey"])) }
            }
        }
    }

    @Test("participant_step2")
    func participantStep2() throws {
        try file("participant_step2", of: 74) { group, tally in
            func step(_ test: JSON) throws -> DKG.PendingShare<Suite> {
                let key = try hostKey(group["hostseckey"])
                let contribution = try contribution(group, key)
                let session = contribution.session
                let index = contribution.index.value
                #expect(contribution.message == frame(0x20, session, index, try group["pmsg1"].bytes))
                return try contribution.receive(
                    frame(0x21, session, nil, try test["cmsg1"].bytes),
                    hostKey: try hostKey(test["hostseckey"].isNull ? group["hostseckey"] : test["hostseckey"]),
                    random: PrescribedRandom(bytes: try group["auxRand"].bytes)
                ).share()
            }
            try each(group["valid"], tally) { test in
                let pending = try step(test)
                #expect(pending.message.suffix(64) == (try test["expectedPmsg2"].bytes)[...])
            }
            try each(group["errors"], tally) { test in
                guard try test["auxRand"].isNull || test["auxRand"].bytes.count == 32 else { return }
                try fails(test) { _ = try step(test) }
            }
        }
    }

    @Test("participant_finalize")
    func participantFinalize() throws {
        try file("participant_finalize", of: 16) { group, tally in
            func finalize(_ test: JSON) throws -> DKG.Output<Suite> {
                let key = try hostKey(group["hostseckey"])
                let contribution = try contribution(group, key)
                let session = contribution.session
                let pending = try contribution.receive(
                    frame(0x21, session, nil, try group["cmsg1"].bytes), hostKey: key,
                    random: PrescribedRandom(bytes: try group["auxRand"].bytes)
                ).share()
                #expect(pending.message == frame(0x22, session, 1, try group["pmsg2"].bytes))
                return try pending.activate(frame(0x23, session, nil, try test["cmsg2"].bytes))
            }
            try each(group["valid"], tally) { test in
                let output = try finalize(test)
                try check(output.keyShare, test["expectedOutput"]["dkgOutput"])
                #expect(
                    output.recoveryData.encoded == [1, 0x25, 1] + (try test["expectedOutput"]["recoveryData"].bytes))
            }
            try each(group["errors"], tally) { test in try fails(test) { _ = try finalize(test) } }
        }
    }

    @Test("participant_investigate")
    func participantInvestigate() throws {
        try file("participant_investigate", of: 16) { group, tally in
            try each(group["errors"], tally) { test in
                let key = try hostKey(group["hostseckey"])
                let contribution = try contribution(group, key)
                let session = contribution.session
                let messages = try group["cmsg1Pool"].array
                let reception = try contribution.receive(
                    frame(0x21, session, nil, try messages[Int(try test["cmsg1Index"].integer)].bytes), hostKey: key,
                    random: PrescribedRandom(bytes: try group["auxRand"].bytes))
                switch consume reception {
                case .pending: Issue.record("a wrong share is accepted")
                case .wrongShare(let investigation):
                    let message = frame(0x24, session, 1, try test["cinvMsg"].bytes)
                    try fails(test) {
                        throw ThresholdError.keyGeneration(try investigation.verdict(on: message, hostKey: key))
                    }
                }
            }
        }
    }

    @Test("coordinator_step1")
    func coordinatorStep1() throws {
        try file("coordinator_step1", of: 44) { group, tally in
            func step(_ test: JSON) throws -> DKG.Coordinator<Suite> {
                let session = try session(test["params"])
                let pool = try group["pmsg1Pool"].array
                let bodies = try test["pmsg1Indices"].array.map { pool[Int(try $0.integer)] }
                return try DKG.Coordinator(session: session, messages: try frames(0x20, session, bodies))
            }
            try each(group["valid"], tally) { test in
                let coordinator = try step(test)
                #expect(
                    coordinator.message == frame(0x21, coordinator.session, nil, try test["expectedCmsg1"].bytes))
            }
            try each(group["errors"], tally) { test in try fails(test) { _ = try step(test) } }
        }
    }

    @Test("coordinator_finalize")
    func coordinatorFinalize() throws {
        try file("coordinator_finalize", of: 20) { group, tally in
            let session = try session(group["params"])
            func finalize(_ test: JSON) throws -> DKG.Certificate<Suite> {
                let coordinator = try DKG.Coordinator<Suite>(
                    session: session, messages: try frames(0x20, session, try group["pmsgs1"].array))
                #expect(coordinator.message == frame(0x21, session, nil, try group["cmsg1"].bytes))
                let pool = try group["pmsg2Pool"].array
                return try coordinator.certify(
                    try frames(0x22, session, try test["pmsg2Indices"].array.map { pool[Int(try $0.integer)] }))
            }
            try each(group["valid"], tally) { test in
                let certificate = try finalize(test)
                let expected = test["expectedOutput"]
                #expect(certificate.message == frame(0x23, session, nil, try expected["cmsg2"].bytes))
                #expect(certificate.recoveryData.encoded == [1, 0x25, 1] + (try expected["recoveryData"].bytes))
                try check(certificate.recoveryData.group(), expected["dkgOutput"])
            }
            try each(group["errors"], tally) { test in try fails(test) { _ = try finalize(test) } }
        }
    }

    @Test("coordinator_investigate")
    func coordinatorInvestigate() throws {
        try file("coordinator_investigate", of: 4) { group, tally in
            try each(group["valid"], tally) { test in
                let session = try session(group["params"])
                let coordinator = try DKG.Coordinator<Suite>(
                    session: session, messages: try frames(0x20, session, try group["pmsgs1"].array))
                for (index, expected) in zip(session.parameters.indices, try test["expectedCinvMsgs"].array) {
                    #expect(
                        try coordinator.investigation(for: index)
                            == frame(0x24, session, index.value, try expected.bytes))
                }
            }
        }
    }

    @Test("participant_recover, coordinator_recover")
    func recover() throws {
        try file("recover", of: 13) { group, tally in
            func data(_ test: JSON) throws -> DKG.RecoveryData<Suite> {
                try DKG.RecoveryData(decoding: [1, 0x25, 1] + (try test["recoveryData"].bytes))
            }
            try each(group["valid"], tally) { test in
                let recovered = try data(test)
                #expect(recovered.session == (try session(test["expectedOutput"]["params"])))
                let output = test["expectedOutput"]["dkgOutput"]
                try check(recovered.group(), output)
                guard !test["hostseckey"].isNull else { return }
                try check(recovered.keyShare(hostKey: hostKey(test["hostseckey"])), output)
            }
            try each(group["errors"], tally) { test in
                try fails(test) {
                    let recovered = try data(test)
                    if !test["hostseckey"].isNull { _ = try recovered.keyShare(hostKey: hostKey(test["hostseckey"])) }
                }
            }
        }
    }
}

extension ThresholdError {
    fileprivate var isAboutMessages: Bool {
        switch self {
        case .missingParticipant, .unknownParticipant, .faulty: true
        default: false
        }
    }

    fileprivate func isAboutRecovery(_ fault: String) -> Bool {
        switch (self, fault) {
        case (.malformed, "form"), (.invalidElement, "form"), (.invalidParameters, "form"),
            (.invalidParameters, "parameters"), (.keyGeneration(.invalidHostKey), "parameters"),
            (.keyGeneration(.invalidCertificate), "certificate"):
            true
        default: false
        }
    }
}
