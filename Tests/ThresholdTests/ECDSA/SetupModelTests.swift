import Curves
import Secrets
import TestSupport
import Testing

@testable import Threshold

@Suite("ECDSA: the set-up of a pair in a second implementation, in Python")
struct SetupModelTests {
    struct Request: Encodable {
        var op = "setup"
        let sid: String
        let a: Int
        let b: Int
        let sharedPoint: String
        let aChoice: String
        let aScalars: String
        let bBits: String
        let bScalars: String
        let bPoints: String

        enum CodingKeys: String, CodingKey {
            case op, sid, a, b
            case sharedPoint = "shared_point"
            case aChoice = "a_choice"
            case aScalars = "a_scalars"
            case bBits = "b_bits"
            case bScalars = "b_scalars"
            case bPoints = "b_points"
        }
    }

    struct Answer: Decodable {
        let first: String
        let second: [String]
        let third: String
        let a: Kept
        let b: Kept

        enum CodingKeys: String, CodingKey {
            case a, b
            case first = "message_1"
            case second = "message_2"
            case third = "message_3"
        }
    }

    /// What a side keeps; its seeds by tree.
    struct Kept: Decodable {
        let peer: Int
        let seed: String
        let delta: String
        let senderSeeds: [[String]]
        let receiverSeeds: [[String]]

        enum CodingKeys: String, CodingKey {
            case peer, seed, delta
            case senderSeeds = "sender_seeds"
            case receiverSeeds = "receiver_seeds"
        }
    }

    @Test("All messages have the same bytes, and both sides keep the same")
    func set() throws {
        let run = try SetupRun(2, of: 3, seed: 90)
        // 3 is the base sender towards 1.
        let (a, b) = (ParticipantIndex(unchecked: 3), ParticipantIndex(unchecked: 1))
        #expect(run.session.isBaseSender(a, towards: b))
        let pair = ECDSA.PairSetup.PairSession(session: run.session.hash, sender: a, receiver: b)
        let receiving = ECDSA.PairSetup.ReceivingSide(pair, seed: run.seed(b, a), random: SeededRandom(seed: 91))
        let sending = try ECDSA.PairSetup.SendingSide(
            pair, answering: receiving.message, seed: run.seed(a, b), random: SeededRandom(seed: 92))
        let last = try receiving.receive(sending.message, random: SeededRandom(seed: 93))
        let third = try #require(last.message)
        let finished = try sending.finish(third)

        let answer: Answer = try Python.ask(
            "dkls23", interpreter: Python.system, request(run, a, b))
        let seed = run.seed(a, b)
        let first = try pair.message(.first, after: []).open(receiving.message, seed: seed)
        let second = try pair.message(.second, after: [receiving.message]).open(sending.message, seed: seed)
        let body = try pair.message(.third, after: [receiving.message, sending.message]).open(third, seed: seed)
        #expect(same(first, answer.first))
        #expect(same(second, answer.second.joined()))
        #expect(same(body, answer.third))
        for (ours, theirs) in [(Model.Pair(finished.pair), answer.a), (Model.Pair(last.pair), answer.b)] {
            #expect(ours.peer == theirs.peer && ours.seed == theirs.seed && ours.delta == theirs.delta)
            #expect(ours.senderSeeds == theirs.senderSeeds.joined().joined())
            #expect(ours.receiverSeeds == theirs.receiverSeeds.joined().joined())
        }
    }

    /// A comparison that does not fill the screen.
    private func same(_ bytes: [UInt8], _ text: String) -> Bool { hex(bytes) == text }

    /// The secrets that the two sides draw, in their order.
    private func request(_ run: SetupRun, _ a: ParticipantIndex, _ b: ParticipantIndex) throws -> Request {
        let receiver = SeededRandom(seed: 91)
        let bits = receiver.publicBytes(count: 32)
        var bScalars: [UInt8] = []
        var bPoints: [UInt8] = []
        for _ in 0..<256 {
            bScalars += reveal(SecretScalar<Secp256k1>(from: receiver).encoded())
            bPoints += SecretScalar<Secp256k1>(from: receiver).timesGenerator().encoded
        }
        let sender = SeededRandom(seed: 92)
        let scalars = (0..<512).map { _ in reveal(SecretScalar<Secp256k1>(from: sender).encoded()) }
        let shared = run.hostKeys[a.value - 1].key.secret.times(run.session.hostKey(of: b))
        return Request(
            sid: hex(run.session.hash), a: a.value, b: b.value, sharedPoint: hex(shared.encoded),
            aChoice: hex(sender.publicBytes(count: 80)),
            aScalars: hex((0..<256).flatMap { scalars[$0] + scalars[256 + $0] }), bBits: hex(bits),
            bScalars: hex(bScalars), bPoints: hex(bPoints))
    }

    @Test("It has the same of each two participants as the base sender")
    func roles() throws {
        for total in [2, 3, 4] {
            let run = try SetupRun(2, of: total)
            for one in run.group.parameters.indices {
                for other in run.group.parameters.indices where one != other {
                    let isBaseSender: Bool = try Python.ask(
                        "dkls23", interpreter: Python.system,
                        Order(count: total, from: one.value, to: other.value))
                    #expect(isBaseSender == run.session.isBaseSender(one, towards: other))
                }
            }
        }
    }

    struct Order: Encodable {
        var op = "order"
        let count: Int
        let from: Int
        let to: Int
    }
}
