import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// Honest participants.
@Suite("Sharing")
struct SharingTests {
    static let suites: [any Sharing.Ciphersuite.Type] = [Sharing.BIP340.self, Sharing.ECDSA.self, Sharing.Ed25519.self]
    static let sizes = [(2, 2), (2, 3), (3, 3), (3, 5), (2, 15), (8, 15)]

    /// Returns the whole key, from these participants' shares.
    static func secret<Suite: Sharing.Ciphersuite>(_ holders: [Holder<Suite>]) -> Scalar<Suite.Group> {
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
    func fresh(_ suite: any Sharing.Ciphersuite.Type, _ size: (Int, Int)) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
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
    func refresh(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
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
    func repair(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
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
    func thereAndBack(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
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
    func imported(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
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

    @Test("FROST signs for a new key of any size, and after a renewal of its shares", arguments: signingSuites, sizes)
    func signing(_ tested: any SuiteUnderTest.Type, _ size: (Int, Int)) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let holders = try SharingRun<Tested.Suite>.key(size.0, of: size.1)
            let key = try #require(holders[0].group).publicKey
            try sign(Tested.self, Array(holders.suffix(size.0)), for: key)
            let five = (31...35).map { Holder<Tested.Suite>($0, seed: 81) }
            try SharingRun.reshare(from: Array(holders.prefix(size.0)), 3, to: five).finish()
            try sign(Tested.self, [five[0], five[2], five[4]], for: key)
        }
        try check(tested)
    }

    @Test("shares that earlier versions made open, sign and renew, and the key stays", arguments: signingSuites)
    func earlierShares(_ tested: any SuiteUnderTest.Type) throws {
        func check<Tested: SuiteUnderTest>(_: Tested.Type) throws {
            let holders = try Tested.earlierShares.enumerated().map { number, bytes in
                let holder = Holder<Tested.Suite>(number, seed: 81)
                let share = try KeyShare<Tested.Suite.Group>(decoding: ThresholdTestSupport.secret(hex(bytes)))
                #expect(hex(reveal(share.encoded())) == bytes)
                holder.share = consume share
                return holder
            }
            let key = try #require(holders[0].group).publicKey
            try sign(Tested.self, holders, for: key)
            let three = holders + [Holder<Tested.Suite>(31, seed: 81)]
            try SharingRun.reshare(from: holders, 2, to: three).finish()
            try sign(Tested.self, Array(three.dropFirst()), for: key)
        }
        try check(tested)
    }

    private func sign<Tested: SuiteUnderTest>(
        _: Tested.Type, _ holders: [Holder<Tested.Suite>], for key: Tested.Suite.Group.Point
    ) throws {
        let group = try #require(holders.first?.group)
        #expect(group.publicKey == key)
        let random = SeededRandom(seed: 82)
        let signers = holders.map { Signer<Tested.Scheme>($0.clone()) }
        let message = [UInt8](repeating: 0x5a, count: 32)
        let package = try Tested.Scheme.package(group, signers.map { $0.commit(random) }, message)
        let signature = try Tested.Scheme.aggregate(try signers.map { try $0.sign(package) }, package, group)
        #expect(Tested.Scheme.verifies(signature, message, group))
    }

    static let signingSuites: [any SuiteUnderTest.Type] = [BIP340Generation.self, Ed25519Generation.self]
}

/// A suite whose keys FROST signs with.
protocol SuiteUnderTest: Sendable {
    associatedtype Suite: Sharing.Ciphersuite
    associatedtype Scheme: SigningProtocol where Scheme.Group == Suite.Group
    static var earlierShares: [String] { get }
}

enum BIP340Generation: SuiteUnderTest {
    typealias Suite = Sharing.BIP340
    typealias Scheme = BIP340UnderTest
    static let earlierShares = EarlierShares.bip340
}

enum Ed25519Generation: SuiteUnderTest {
    typealias Suite = Sharing.Ed25519
    typealias Scheme = Ed25519UnderTest
    static let earlierShares = EarlierShares.ed25519
}
