import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

@Suite("ECDSA: the set-up of a pair in a second implementation, in Python")
struct SetupModelTests {
    /// The set-up of all pairs.
    struct Session: Encodable {
        let identifier: String
        let fingerprint: String
        let epoch: Int
        let hostKeys: [String]

        init(_ run: SetupRun) {
            identifier = hex([UInt8](repeating: 1, count: 32))
            fingerprint = hex(run.group.fingerprint)
            epoch = run.session.epoch
            hostKeys = run.hostKeys.map { hex($0.key.publicKey.encoded) }
        }

        enum CodingKeys: String, CodingKey {
            case identifier, fingerprint, epoch
            case hostKeys = "host_keys"
        }
    }

    struct Request: Encodable {
        var op = "setup"
        let session: Session
        let a: Int
        let b: Int
        let hostSecret: String
        let aShare: String
        let bShare: String
        let aFresh: String
        let bFresh: String
        let bFresh3: String
        let nonce: String

        enum CodingKeys: String, CodingKey {
            case op, session, a, b, nonce
            case bFresh3 = "b_fresh_3"
            case hostSecret = "host_secret"
            case aShare = "a_share"
            case bShare = "b_share"
            case aFresh = "a_fresh"
            case bFresh = "b_fresh"
        }
    }

    struct Answer: Decodable {
        let bodies: [String]
        let messages: [String]
        let a: Kept
        let b: Kept
    }

    /// A side's stored data; its seeds by tree.
    struct Kept: Decodable {
        let peer: Int
        let seed: String
        let delta: String
        let senderSeeds: [[String]]
        let receiverSeeds: [[String]]
        let senderBase: String
        let coPaths: [[String]]
        let receiverBase: String
        let roots: [[String]]

        enum CodingKeys: String, CodingKey {
            case peer, seed, delta, roots
            case senderSeeds = "sender_seeds"
            case receiverSeeds = "receiver_seeds"
            case senderBase = "sender_base"
            case coPaths = "co_paths"
            case receiverBase = "receiver_base"
        }
    }

    @Test("All messages have the same bytes, and both sides store the same values")
    func set() throws {
        let run = try SetupRun(2, of: 3, seed: 90)
        // 3 is the base sender towards 1.
        let (a, b) = (ParticipantIndex(unchecked: 3), ParticipantIndex(unchecked: 1))
        #expect(run.session.isBaseSender(a, towards: b))
        let pair = ECDSA.PairSetup.PairSession(session: run.session.hash, sender: a, receiver: b)
        typealias Name = ECDSA.PairSetup.PairSession
        let receiving = ECDSA.PairSetup.ReceivingSide(
            pair, seed: run.seed(b, a), random: try run.randomness(of: b, with: a, fresh: Self.bFresh))
        let sending = try ECDSA.PairSetup.SendingSide(
            pair, answering: pair.message(.first, after: []).open(receiving.message, seed: run.seed(a, b)),
            seed: run.seed(a, b),
            random: try run.randomness(
                of: a, with: b, fresh: Self.aFresh, answering: Name.name(of: receiving.message)))
        let grown = try receiving.receive(
            receiving.open(sending.message),
            random: try run.randomness(
                of: b, with: a, fresh: Self.bFresh3, answering: Name.name(of: sending.message)))
        let finished = try sending.receive(sending.open(grown.message), random: SeededRandom(seed: 93))
        let fourth = try #require(finished.message)
        let last = try grown.finish(grown.open(fourth))

        let messages = [receiving.message, sending.message, grown.message, fourth]
        let names = messages.map(Name.name(of:))
        let answer: Answer = try Python.ask(
            "dkls23", interpreter: Python.system,
            Request(
                session: Session(run), a: a.value, b: b.value,
                hostSecret: hex(reveal(run.hostKeys[a.value - 1].key.secret.encoded())),
                aShare: hex(reveal(run.secretShare(of: a).encoded())),
                bShare: hex(reveal(run.secretShare(of: b).encoded())), aFresh: hex(Self.aFresh),
                bFresh: hex(Self.bFresh), bFresh3: hex(Self.bFresh3),
                // Behind header, sid and the two indices: random bytes, and not secret.
                nonce: hex(Array(fourth[37..<61]))))
        let seed = run.seed(a, b)
        let bodies = try [
            pair.message(.first, after: []).open(receiving.message, seed: seed).body,
            pair.message(.second, after: [names[0]]).open(sending.message, seed: seed).body,
            pair.message(.third, after: Array(names[..<2])).open(grown.message, seed: seed).body,
            pair.message(.fourth, after: Array(names[..<3])).open(fourth, seed: seed).body,
        ]
        for (ours, theirs) in zip(bodies + messages, answer.bodies + answer.messages) { #expect(same(ours, theirs)) }
        #expect(answer.bodies.count == 4 && answer.messages.count == 4)
        for (pair, theirs) in [(finished.pair, answer.a), (last.pair, answer.b)] {
            #expect(hex(pair.coPaths.trees.base) == theirs.senderBase)
            #expect(hex(reveal(pair.coPaths.bytes)) == theirs.delta + theirs.coPaths.joined().joined())
            #expect(hex(pair.roots.trees.base) == theirs.receiverBase)
            #expect(hex(reveal(pair.roots.bytes)) == theirs.roots.joined().joined())
            let ours = Model.Pair(pair)
            #expect(ours.peer == theirs.peer && ours.seed == theirs.seed && ours.delta == theirs.delta)
            #expect(ours.senderSeeds == theirs.senderSeeds.joined().joined())
            #expect(ours.receiverSeeds == theirs.receiverSeeds.joined().joined())
        }
    }

    /// A comparison whose failure does not fill the screen.
    private func same(_ bytes: [UInt8], _ text: String) -> Bool { hex(bytes) == text }

    private static let aFresh = [UInt8](repeating: 91, count: 32)
    private static let bFresh = [UInt8](repeating: 92, count: 32)
    private static let bFresh3 = [UInt8](repeating: 95, count: 32)

    struct Transcript: Encodable {
        struct Pair: Encodable {
            let a: Int
            let b: Int
            let messages: [String]
        }

        var op = "transcript"
        let session: Session
        let pairs: [Pair]
    }

    struct Named: Decodable {
        let sid: String
        let setup: String
    }

    @Test("It computes the same identity of a set-up of three participants from their messages")
    func named() throws {
        var run = try SetupRun(2, of: 3, seed: 94)
        run.session = try ECDSA.PairSetup.Session(
            group: run.group, epoch: 5, identifier: [UInt8](repeating: 1, count: 32),
            hostKeys: run.hostKeys.map { $0.key.publicKey.encoded })
        var sent: [Set<Int>: [(sender: Int, bytes: String)]] = [:]
        let shares = try run.run { step, from, to, bytes in
            guard from != to else { return }
            sent[[from.value, to.value], default: []].append((from.value, hex(bytes)))
        }
        let pairs = try [[1, 2], [1, 3], [2, 3]].map { (pair: Set<Int>) in
            let messages = try #require(sent[pair])
            // A sends the second, B the others.
            return Transcript.Pair(a: messages[1].sender, b: messages[0].sender, messages: messages.map(\.bytes))
        }
        let named: Named = try Python.ask(
            "dkls23", interpreter: Python.system, Transcript(session: Session(run), pairs: pairs))
        #expect(named.sid == hex(run.session.hash))
        for share in shares { #expect(named.setup == hex(share.borrow { $0.setup })) }
    }

    @Test("It chooses the same base sender in each pair")
    func roles() throws {
        let totals = [2, 3, 4, 7]
        let orders: [[[Int]]] = try Python.ask("dkls23", interpreter: Python.system, Order(counts: totals))
        for (total, order) in zip(totals, orders) {
            let run = try SetupRun(2, of: total)
            let indices = run.group.parameters.indices
            let ours = indices.flatMap { one in
                indices.filter { $0 != one && run.session.isBaseSender(one, towards: $0) }
                    .map { [one.value, $0.value] }
            }
            #expect(order == ours)
        }
        #expect(orders.count == totals.count)
    }

    struct Order: Encodable {
        var op = "order"
        let counts: [Int]
    }
}
