import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@Suite("Sharing: recovery data")
struct SharingRecoveryTests {
    @Test(
        "each bit is meant: recovery data with any of them changed is refused, and so is less or more of it",
        arguments: SharingTests.suites)
    func tampered(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 2)
            let bytes = try SharingRun.reshare(from: holders, 2, to: holders).certificate().recoveryData.encoded
            _ = try Sharing.RecoveryData<Suite>(decoding: bytes)
            for offset in bytes.indices {
                var other = bytes
                other[offset] ^= 1 << (offset % 8)
                #expect(throws: ThresholdError.self, "byte \(offset)") {
                    try Sharing.RecoveryData<Suite>(decoding: other)
                }
            }
            for length in stride(from: 0, to: bytes.count, by: 7) {
                #expect(throws: ThresholdError.self) {
                    try Sharing.RecoveryData<Suite>(decoding: Array(bytes[..<length]))
                }
            }
            #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) {
                try Sharing.RecoveryData<Suite>(decoding: bytes + [0])
            }
            for position in 1...4 {
                var other = bytes
                other[bytes.count - 64 * position + 40] ^= 1
                #expect(throws: ThresholdError.sharing(.invalidCertificate)) {
                    try Sharing.RecoveryData<Suite>(decoding: other)
                }
            }
        }
        try check(suite)
    }

    @Test("only receivers of the session recover a share", arguments: SharingTests.suites)
    func foreign(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let receivers = [holders[0], holders[2]]
            let data = try SharingRun.reshare(from: Array(holders.prefix(2)), 2, to: receivers).finish()
            #expect(throws: ThresholdError.sharing(.foreignHostKey)) {
                _ = try data.keyShare(hostKey: Sharing.HostKey(from: SeededRandom(seed: 86)))
            }
            #expect(throws: ThresholdError.sharing(.wrongRole)) { _ = try data.keyShare(hostKey: holders[1].hostKey) }
            #expect(throws: ThresholdError.sharing(.foreignHostKey)) {
                try data.acknowledgement(
                    hostKey: Sharing.HostKey(from: SeededRandom(seed: 86)), random: holders[0].random)
            }
            #expect(throws: ThresholdError.sharing(.wrongRole)) {
                try data.acknowledgement(hostKey: holders[1].hostKey, random: holders[1].random)
            }
        }
        try check(suite)
    }

    @Test("participants who all certify a wrong share do not make it valid", arguments: SharingTests.suites)
    func wrongShare(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            // The recovery data are made by hand, with signatures that step 3 would have refused.
            let run = try SharingRun<Suite>.fresh(2, of: 2)
            let dealer = run.dealers[1]
            let (_, openings) = try run.deal([
                dealer: { $0.encryptedShares[0] = $0.encryptedShares[0] + .one }
            ])
            var transcript = run.session.hash
            var bytes = Array(try SharingRun<Suite>.fresh(2, of: 2).certificate().recoveryData.encoded.prefix(3))
            func encode(_ count: Int) -> [UInt8] { [0, 0, UInt8(count >> 8), UInt8(count & 255)] }
            bytes += encode(run.session.encoded.count) + run.session.encoded
            for party in run.parties {
                let opening = openings[party, default: []]
                transcript += run.commitment(to: opening, from: party) + encode(opening.count) + opening
                bytes += encode(opening.count) + opening
            }
            let hash = Array(Suite.hash("sharing transcript", transcript).prefix(32))
            let polynomials = try run.parties.map { party in
                try Sharing.Opening<Suite>(
                    decoding: openings[party, default: []], from: party, in: run.session
                ).polynomial
            }
            let group = try run.session.group(of: polynomials)
            for (number, holder) in run.holders.enumerated() {
                var prefix = Array((Suite.domain + "sharing transcript").utf8)
                prefix += [UInt8](repeating: 0, count: 33 - prefix.count)
                bytes += try Suite.sign(
                    prefix + encode(number + 1) + hash, hostKey: SecretScalar(canonical: holder.hostKey.encoded()),
                    auxiliary: SecretBytes(count: 32, from: holder.random))
                // The first one does not know its share, but knows the second dealer's part of it.
                var secret = SecretScalar<Suite.Group>(.zero)
                for dealer in run.holders {
                    let committed = try Self.honest(dealer, in: run)
                    secret = secret + committed.share(of: run.session.parameters.indices[number])
                }
                bytes += Suite.provePossession(
                    of: secret, publicKey: group.verificationShares[number],
                    message: Suite.hash("sharing share proof", hash + encode(number + 1)),
                    auxiliary: SecretBytes(count: 32, from: holder.random))
            }
            let data = try Sharing.RecoveryData<Suite>(decoding: bytes)
            #expect(throws: ThresholdError.sharing(.suspect(dealer, .share))) {
                _ = try data.keyShare(hostKey: run.holders[0].hostKey)
            }
            #expect(try data.keyShare(hostKey: run.holders[1].hostKey).group == group)
        }
        try check(suite)
    }

    /// The polynomial that the participant dealt: its random bytes are the test's, so that it can be computed again.
    static func honest<Suite: Sharing.Ciphersuite>(
        _ holder: Holder<Suite>, in run: SharingRun<Suite>
    ) throws -> SecretPolynomial<Suite.Group> {
        let number = try #require(run.holders.firstIndex { $0 === holder }) + 1
        let random = SeededRandom(seed: 80 * 1_000 + UInt64(number))
        _ = Sharing.HostKey<Suite>(from: random)
        _ = random.publicBytes(count: 32)
        let seed = Suite.hash(
            "sharing seed", secret: joined(holder.hostKey.encoded(), SecretBytes(count: 32, from: random)),
            run.session.hash)
        return SecretPolynomial(threshold: 2) { power in
            SecretScalar(reducing: Suite.hash("sharing coefficient", secret: seed, [0, 0, 0, UInt8(power)]))
        }
    }

    private static func joined(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) -> SecretBytes {
        secret(reveal(first) + reveal(second))
    }

    @Test("all receivers confirm that they have stored their recovery data", arguments: SharingTests.suites)
    func acknowledgements(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let receivers = [holders[0], holders[2]]
            let run = try SharingRun.reshare(from: Array(holders.prefix(2)), 2, to: receivers)
            let data = try run.finish()
            var messages: [Sharing.Party: [UInt8]] = [:]
            for holder in receivers {
                let party = try #require(run.session.party(of: holder.hostKey.publicKey))
                messages[party] = try data.acknowledgement(hostKey: holder.hostKey, random: holder.random)
            }
            try data.verify(acknowledgements: messages)

            let last = run.parties[2]
            var others = messages
            others[last]?[40] ^= 1
            #expect(throws: ThresholdError.sharing(.faulty([last]))) { try data.verify(acknowledgements: others) }
            others[last] = messages[last, default: []] + [0]
            #expect(throws: ThresholdError.sharing(.faulty([last]))) { try data.verify(acknowledgements: others) }
            others[last] = nil
            #expect(throws: ThresholdError.sharing(.missing(last))) { try data.verify(acknowledgements: others) }
            others = messages
            others[run.parties[1]] = messages[last]
            #expect(throws: ThresholdError.sharing(.unknown(run.parties[1]))) {
                try data.verify(acknowledgements: others)
            }
            // A signature of the transcript is not an acknowledgement.
            let confirmed = try Sharing.ConfirmationList<Suite>(
                decoding: try again(holders).message, in: again(holders).recoveryData.session)
            others = messages
            others[last]?.replaceSubrange(36..., with: confirmed.confirmations[2].signature)
            #expect(throws: ThresholdError.sharing(.faulty([last]))) { try data.verify(acknowledgements: others) }
        }
        func again<Suite: Sharing.Ciphersuite>(_: [Holder<Suite>]) throws -> Sharing.Certificate<Suite> {
            try SharingRun<Suite>.fresh(2, of: 3).certificate()
        }
        try check(suite)
    }

    @Test("the identifier is the same for all participants, and unique to this session", arguments: SharingTests.suites)
    func identifiers(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let one = try SharingRun<Suite>.fresh(2, of: 3).finish()
            let other = try SharingRun<Suite>.fresh(2, of: 3, seed: 87).finish()
            #expect(one.identifier.count == 32)
            #expect(one.identifier != other.identifier)
            #expect(one.identifier == (try Sharing.RecoveryData<Suite>(decoding: one.encoded).identifier))
        }
        try check(suite)
    }
}
