import Curves
import Foundation
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// A second implementation of key generation: `scripts/peers/sharing`, in Python, written from
/// `docs/formats/sharing-messages.md` alone. It needs only the standard library.
@Suite("Sharing: a second implementation of key generation, in Python")
struct SharingModelTests {
    private struct Generation: Encodable {
        struct Participant: Encodable {
            let hostSecret: String
            /// 32 random bytes for each use, in the order of their uses.
            let nonce, seed, proof, signature, acknowledgement: String

            enum CodingKeys: String, CodingKey {
                case hostSecret = "host_secret"
                case nonce, seed, proof, signature, acknowledgement
            }

            /// Draws what a ``Holder`` with this seed draws.
            init<Suite: Sharing.Ciphersuite>(_ number: Int, seed: UInt64, of _: Suite.Type) {
                let random = SeededRandom(seed: seed * 1_000 + UInt64(number))
                hostSecret = hex(reveal(Sharing.HostKey<Suite>(from: random).encoded()))
                func draw() -> String { hex(random.publicBytes(count: 32)) }
                nonce = draw()
                self.seed = draw()
                proof = draw()
                signature = draw()
                acknowledgement = draw()
            }
        }

        let op = "generate"
        let suite: String
        let threshold: Int
        let participants: [Participant]
    }

    private struct Generated: Decodable {
        let introductions: [String]
        let session: String
        let commitments: [String]
        let commitmentList: String
        let openings: [String]
        let openingList: String
        let confirmations: [String]
        let certificate: String
        let recoveryData: String
        let acknowledgements: [String]
        let transcript: String
        let groupKey: String
        let shares: [String]

        enum CodingKeys: String, CodingKey {
            case introductions, session, commitments, openings, confirmations, certificate, acknowledgements, transcript
            case shares
            case commitmentList = "commitment_list"
            case openingList = "opening_list"
            case recoveryData = "recovery_data"
            case groupKey = "group_key"
        }
    }

    private struct Examination: Encodable {
        let op = "check"
        let suite: String
        let threshold: Int
        let introductions, commitments, openings: [String]
        var confirmations: [String]
    }

    private struct Examined: Decodable {
        let refused: String?
        let publicKey: String
        let verificationShares: [String]

        enum CodingKeys: String, CodingKey {
            case refused
            case publicKey = "public_key"
            case verificationShares = "verification_shares"
        }
    }

    private static func name(of suite: any Sharing.Ciphersuite.Type) -> String {
        switch suite {
        case is Sharing.BIP340.Type: "bip340"
        case is Sharing.ECDSA.Type: "ecdsa"
        default: "ed25519"
        }
    }

    @Test("it makes keys among its own participants, and each of its checks refuses a violation")
    func selfTest() throws {
        let answer = try Program.output(Python.system, ["\(Repository.path)/scripts/peers/sharing", "selftest"])
        #expect(answer == "sharing: keys are right, and every check was seen to fire\n")
    }

    @Test(
        "it sends the same bytes in every message of a key generation, and comes to the same key and shares",
        arguments: SharingTests.suites, [(2, 2), (2, 3), (3, 5)])
    func generation(_ suite: any Sharing.Ciphersuite.Type, _ size: (Int, Int)) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let answer: Generated = try Python.ask(
                "sharing", interpreter: Python.system,
                Generation(
                    suite: Self.name(of: suite), threshold: size.0,
                    participants: (1...size.1).map { .init($0, seed: 88, of: Suite.self) }))
            let holders = SharingRun<Suite>.holders(size.1, seed: 88)
            let introductions = holders.map { $0.introduce() }
            #expect(introductions.map(hex) == answer.introductions)
            let run = try SharingRun<Suite>(Sharing.Session(fresh: size.0, participants: introductions), holders)
            #expect(hex(run.session.encoded) == answer.session)
            let commitments = try run.commit()
            #expect(run.parties.map { hex(commitments[$0, default: []]) } == answer.commitments)
            let coordinator = try Sharing.Coordinator(session: run.session, commitments: commitments)
            #expect(hex(coordinator.message) == answer.commitmentList)
            var openings: [Sharing.Party: [UInt8]] = [:]
            for party in run.parties { openings[party] = try run.holder(party).open(coordinator.message) }
            #expect(run.parties.map { hex(openings[$0, default: []]) } == answer.openings)
            let dealings = try coordinator.collect(openings: openings)
            #expect(hex(dealings.message) == answer.openingList)
            var confirmations: [Sharing.Party: [UInt8]] = [:]
            for party in run.parties { confirmations[party] = try run.holder(party).receive(dealings.message) }
            #expect(run.parties.map { hex(confirmations[$0, default: []]) } == answer.confirmations)
            let certificate = try dealings.certify(confirmations)
            #expect(hex(certificate.message) == answer.certificate)
            #expect(hex(certificate.recoveryData.encoded) == answer.recoveryData)
            #expect(hex(certificate.recoveryData.identifier) == answer.transcript)
            #expect(hex(certificate.recoveryData.group.encoded) == answer.groupKey)
            for (holder, share) in zip(holders, answer.shares) {
                _ = try holder.renew(certificate.message)
                #expect(holder.withShare { hex(reveal($0.encoded())) } == share)
            }
            let acknowledgements = try holders.map {
                try certificate.recoveryData.acknowledgement(hostKey: $0.hostKey, random: $0.random)
            }
            #expect(acknowledgements.map(hex) == answer.acknowledgements)
        }
        try check(suite)
    }

    @Test(
        "it verifies a key generation with the system's random bytes, and comes to the same public keys",
        arguments: SharingTests.suites)
    func verification(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = SharingRun<Suite>.holders(
                3, seed: SystemRandom().publicBytes(count: 4).reduce(0) { $0 << 8 | UInt64($1) })
            let introductions = holders.map { $0.introduce() }
            let run = try SharingRun<Suite>(Sharing.Session(fresh: 2, participants: introductions), holders)
            let commitments = try run.commit()
            let coordinator = try Sharing.Coordinator(session: run.session, commitments: commitments)
            var openings: [Sharing.Party: [UInt8]] = [:]
            for party in run.parties { openings[party] = try run.holder(party).open(coordinator.message) }
            let dealings = try coordinator.collect(openings: openings)
            var confirmations: [Sharing.Party: [UInt8]] = [:]
            for party in run.parties { confirmations[party] = try run.holder(party).receive(dealings.message) }
            let group = try dealings.certify(confirmations).recoveryData.group

            func inOrder(_ messages: [Sharing.Party: [UInt8]]) -> [String] {
                run.parties.map { hex(messages[$0, default: []]) }
            }
            var request = Examination(
                suite: Self.name(of: suite), threshold: 2, introductions: introductions.map(hex),
                commitments: inOrder(commitments), openings: inOrder(openings), confirmations: inOrder(confirmations))
            let examined: Examined = try Python.ask("sharing", interpreter: Python.system, request)
            #expect(examined.refused == nil)
            #expect(examined.publicKey == hex(group.publicKey.encoded))
            #expect(examined.verificationShares == group.verificationShares.map { hex($0.encoded) })
            // The control: it does examine them.
            request.confirmations.swapAt(0, 1)
            let refused: Examined = try Python.ask("sharing", interpreter: Python.system, request)
            #expect(refused.refused == "confirmation of 1")
        }
        try check(suite)
    }
}
