import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// Honest participants.
@Suite("Sharing")
struct SharingTests {
    static let suites: [any DKG.Ciphersuite.Type] = [DKG.BIP340.self, DKG.ECDSA.self, DKG.Ed25519.self]
    static let sizes = [(2, 2), (2, 3), (3, 3), (3, 5), (2, 15), (8, 15)]

    /// Returns the whole key, from these participants' shares.
    static func secret<Suite: DKG.Ciphersuite>(_ holders: [Holder<Suite>]) -> Scalar<Suite.Group> {
        let indices = holders.compactMap(\.index)
        return holders.reduce(.zero) { sum, holder in
            let part = holder.withShare {
                Lagrange.coefficient(of: $0.index, among: indices) * $0.secret.clone().revealed()
            }
            return sum + (part ?? .zero)
        }
    }

    static func publicKey<Group: Curve>(of secret: Scalar<Group>) -> Group.Point {
        Group.Point.generator.multipliedVariableTime(by: secret)
    }

    @Test("fresh: any threshold of the participants has the key, and each recovers its share", arguments: suites, sizes)
    func fresh(_ suite: any DKG.Ciphersuite.Type, _ size: (Int, Int)) throws {
        func check<Suite: DKG.Ciphersuite>(_: Suite.Type) throws {
            let run = try SharingRun<Suite>.fresh(size.0, of: size.1)
            let data = try run.finish()
            #expect(data.epoch == 0)
            #expect(data.session == run.session)
            #expect(try GroupKey(decoding: data.group.encoded) == data.group)
            for _ in 0..<3 {
                let some = Array(run.holders.shuffled(by: run.holders[0].random).prefix(size.0))
                #expect(Self.publicKey(of: Self.secret(some)) == data.group.publicKey)
            }
            for holder in run.holders {
                #expect(holder.group == data.group)
                let again = try data.keyShare(hostKey: holder.hostKey)
                #expect(holder.withShare { reveal($0.encoded()) } == reveal(again.encoded()))
            }
        }
        try check(suite)
    }

    @Test("refresh: the key stays, all shares are new, and old ones do not combine with them", arguments: suites)
    func refresh(_ suite: any DKG.Ciphersuite.Type) throws {
        func check<Suite: DKG.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let old = try #require(holders[0].group)
            let secret = Self.secret(holders)
            let thief = holders[0].thief()
            for epoch in 1...3 {
                let data = try SharingRun.reshare(from: holders, 2, to: holders).finish()
                #expect(data.epoch == epoch)
                #expect(data.group.publicKey == old.publicKey)
                #expect(data.group.fingerprint != old.fingerprint)
                #expect(Self.secret(Array(holders.dropFirst())) == secret)
            }
            #expect(Self.secret([thief, holders[1]]) != secret)
        }
        try check(suite)
    }

    @Test(
        "repair: a lost share is made again by the others, under a new host key, and the lost one is worthless",
        arguments: suites)
    func repair(_ suite: any DKG.Ciphersuite.Type) throws {
        func check<Suite: DKG.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let secret = Self.secret(holders)
            let new = Holder<Suite>(20, seed: 80)
            let run = try SharingRun.reshare(from: [holders[0], holders[2]], 2, to: [holders[0], new, holders[2]])
            let data = try run.finish()
            #expect(new.index?.value == 2)
            #expect(new.group == data.group)
            #expect(Self.secret([new, holders[2]]) == secret)
            #expect(Self.secret([holders[1], holders[2]]) != secret)
        }
        try check(suite)
    }

    @Test(
        "2 of 3 becomes 3 of 5 and 2 of 3 again: the key stays, and no threshold of mixed shares has it",
        arguments: suites)
    func thereAndBack(_ suite: any DKG.Ciphersuite.Type) throws {
        func check<Suite: DKG.Ciphersuite>(_: Suite.Type) throws {
            let three = try SharingRun<Suite>.key(2, of: 3)
            let secret = Self.secret(three)
            let thief = three[1].thief()
            // The third participant deals and leaves; the second neither deals nor stays; four are new.
            let five = [three[0]] + (21...24).map { Holder<Suite>($0, seed: 80) }
            let there = try SharingRun.reshare(from: [three[0], three[2]], 3, to: five).finish()
            #expect(there.group.parameters == (try ThresholdParameters(threshold: 3, total: 5)))
            #expect(Self.secret([five[4], five[1], five[2]]) == secret)
            #expect(Self.secret([five[4], five[1]]) != secret)

            let back = try SharingRun.reshare(from: Array(five.dropFirst()), 2, to: three).finish()
            #expect(back.epoch == 2)
            #expect(back.group.publicKey == there.group.publicKey)
            #expect(Self.secret([three[0], three[2]]) == secret)
            #expect(Self.secret([thief, three[2]]) != secret)
        }
        try check(suite)
    }

    @Test("a whole key is imported by a dealer that need not be a receiver", arguments: suites)
    func imported(_ suite: any DKG.Ciphersuite.Type) throws {
        func check<Suite: DKG.Ciphersuite>(_: Suite.Type) throws {
            let secret = Scalar<Suite.Group>(123_456_789)
            let run = try SharingRun<Suite>.imported(SecretScalar(secret), 2, of: 3)
            let data = try run.finish()
            #expect(data.epoch == 0)
            #expect(data.group.publicKey == Self.publicKey(of: secret))
            #expect(Self.secret([run.holders[2], run.holders[1]]) == secret)

            let dealer = Holder<Suite>(30, seed: 80)
            let receivers = SharingRun<Suite>.holders(2)
            let session = try Sharing.Session<Suite>(
                importing: Self.publicKey(of: secret), dealer: dealer.introduce(), threshold: 2,
                receivers: receivers.map { $0.introduce() })
            let other = try SharingRun(session, [dealer] + receivers, secret: SecretScalar(secret))
            try other.finish()
            #expect(dealer.index == nil)
            #expect(Self.secret(receivers) == secret)
        }
        try check(suite)
    }

    @Test("FROST signs after a renewal of shares, and so does ChillDKG's key", arguments: KeyGenerationTests.suites)
    func signing(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            // A key of ChillDKG, whose host keys serve here too.
            let generation = try KeyGeneration<Tested.Suite>(2, of: 3)
            let certificate = try generation.certificate()
            var holders: [Holder<Tested.Suite>] = []
            for (number, party) in generation.parties.enumerated() {
                let holder = Holder<Tested.Suite>(number, seed: 81)
                let share = try party.activate(certificate.message).takeKeyShare()
                holder.share = consume share
                holders.append(holder)
            }
            let key = try certificate.recoveryData.group().publicKey
            let five = (31...35).map { Holder<Tested.Suite>($0, seed: 81) }
            try SharingRun.reshare(from: Array(holders.prefix(2)), 3, to: five).finish()
            let group = try #require(five[0].group)
            #expect(group.publicKey == key)

            let random = SeededRandom(seed: 82)
            var signers: [Signer<Tested.Scheme>] = []
            for holder in [five[0], five[2], five[4]] {
                holder.withShare { signers.append(Signer($0.clone())) }
            }
            let message = [UInt8](repeating: 0x5a, count: 32)
            let package = try Tested.Scheme.package(group, signers.map { $0.commit(random) }, message)
            let signature = try Tested.Scheme.aggregate(try signers.map { try $0.sign(package) }, package, group)
            #expect(Tested.Scheme.verifies(signature, message, group))
        }
        try check(tested)
    }
}
