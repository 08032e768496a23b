import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// If a golden message changes, participants of different versions cannot work together, and recovery data of earlier
/// versions are lost.
@Suite("Sharing: messages")
struct SharingMessageTests {
    @Test("golden bytes: new keys, an imported one for Schnorr signatures, a renewed one of Ed25519")
    func golden() throws {
        func check<Suite: Sharing.Ciphersuite>(_ known: KnownSharing<Suite>, _ golden: [String]) {
            #expect(known.messages.count == golden.count)
            for (message, golden) in zip(known.messages, golden) {
                #expect(hex(message.bytes) == golden, "\(message.name)")
            }
        }
        check(try KnownSharing<Sharing.BIP340>(.imported), GoldenSharing.imported)
        check(try KnownSharing<Sharing.BIP340>(.fresh), GoldenSharing.freshBIP340)
        check(try KnownSharing<Sharing.ECDSA>(.fresh), GoldenSharing.freshECDSA)
        check(try KnownSharing<Sharing.Ed25519>(.fresh), GoldenSharing.freshEd25519)
        check(try KnownSharing<Sharing.Ed25519>(.refresh), GoldenSharing.refresh)
    }

    @Test("sizes are as documented")
    func sizes() throws {
        func sizes<Suite: Sharing.Ciphersuite>(_ run: SharingRun<Suite>) throws -> [Int] {
            let commitments = try run.commit()
            let coordinator = try Sharing.Coordinator(session: run.session, commitments: commitments)
            var openings: [Sharing.Party: [UInt8]] = [:]
            for party in run.parties { openings[party] = try run.holder(party).open(coordinator.message) }
            let dealings = try coordinator.collect(openings: openings)
            var confirmations: [Sharing.Party: [UInt8]] = [:]
            for party in run.parties { confirmations[party] = try run.holder(party).receive(dealings.message) }
            let certificate = try dealings.certify(confirmations)
            let first = run.parties[0]
            return [
                run.holders[0].introduce().count, run.session.encoded.count, commitments[first]?.count ?? 0,
                coordinator.message.count, openings[first]?.count ?? 0, dealings.message.count,
                confirmations[first]?.count ?? 0, certificate.message.count,
                certificate.recoveryData.encoded.count,
            ]
        }
        #expect(
            try sizes(SharingRun<Sharing.BIP340>.fresh(2, of: 3)) == [77, 210, 68, 131, 392, 1_223, 164, 419, 1_789])
        #expect(
            try sizes(SharingRun<Sharing.ECDSA>.fresh(2, of: 3)) == [81, 214, 68, 131, 392, 1_223, 164, 419, 1_793])
        #expect(
            try sizes(SharingRun<Sharing.Ed25519>.fresh(2, of: 3)) == [78, 209, 68, 131, 389, 1_214, 164, 419, 1_779])
        // The largest messages: all limits reached, and no party both deals and receives.
        let holders = try SharingRun<Sharing.ECDSA>.key(15, of: 15)
        let others = SharingRun<Sharing.ECDSA>.holders(15, seed: 89)
        let largest = try sizes(SharingRun.reshare(from: holders, 15, to: others))
        #expect(largest.max() == 36_028)
    }

    /// Every decoder with mutated input: it decodes or throws, and never traps. Decoded values encode to the same
    /// bytes.
    @Test("fuzzed decoders", arguments: SharingTests.suites, KnownSharing<Sharing.ECDSA>.Kind.allCases.indices)
    func fuzz(_ suite: any Sharing.Ciphersuite.Type, _ kind: Int) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let known = try KnownSharing<Suite>(KnownSharing<Suite>.Kind.allCases[kind])
            let session = known.session
            let party = session.parties[0]
            Fuzz.roundTrips(
                of: known.bytes("introduction"), iterations: 2_000,
                decode: { try Sharing.Member<Suite.Group>(introduction: $0, to: Suite.self) },
                encode: { $0.introduction(to: Suite.self) })
            Fuzz.roundTrips(
                of: known.bytes("session"), iterations: 2_000, decode: { try Sharing.Session<Suite>(decoding: $0) },
                encode: { $0.encoded })
            Fuzz.roundTrips(
                of: known.bytes("commitments"), iterations: 2_000,
                decode: { try Sharing.CommitmentList(decoding: $0, in: session) },
                encode: { $0.encoded(in: session) })
            Fuzz.roundTrips(
                of: known.bytes("opening of 1"), iterations: 2_000,
                decode: { try Sharing.Opening(decoding: $0, from: party, in: session) },
                encode: { $0.encoded(from: party, in: session) })
            Fuzz.roundTrips(
                of: known.bytes("openings"), iterations: 2_000,
                decode: { try Sharing.OpeningList(decoding: $0, in: session) }, encode: { $0.encoded(in: session) })
            Fuzz.roundTrips(
                of: known.bytes("confirmation of 1"), iterations: 2_000,
                decode: { try Sharing.Confirmation(decoding: $0, from: party, in: session) },
                encode: { $0.encoded(from: party, in: session) })
            Fuzz.roundTrips(
                of: known.bytes("certificate"), iterations: 2_000,
                decode: { try Sharing.ConfirmationList(decoding: $0, in: session) },
                encode: { $0.encoded(in: session) })
            Fuzz.roundTrips(
                of: known.bytes("recovery data"), iterations: 1_000,
                decode: { try Sharing.RecoveryData<Suite>(decoding: $0) }, encode: { $0.encoded })
            let data = try known.recoveryData()
            Fuzz.mutations(of: known.bytes("acknowledgement"), iterations: 1_000) { bytes in
                try? data.verify(acknowledgements: [session.parties[0]: bytes, session.parties[1]: bytes])
            }
        }
        try check(suite)
    }
}
