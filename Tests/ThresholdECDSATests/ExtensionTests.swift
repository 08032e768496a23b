import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// One extension between two participants.
struct KnownExtension {
    let sender = ParticipantIndex(unchecked: 2)
    let receiver = ParticipantIndex(unchecked: 5)
    var session = [UInt8](repeating: 7, count: 32)
    let shape: ECDSA.ExtensionShape
    var seeds: DealtTrees
    let choice: [UInt8]

    init(_ shape: ECDSA.ExtensionShape = .signing) {
        let random = SeededRandom(seed: 1)
        self.shape = shape
        seeds = DealtTrees(random: random, shape: shape)
        choice = random.publicBytes(count: shape.rowSize)
    }

    func receive() -> ECDSA.ExtensionReceiver {
        ECDSA.ExtensionReceiver(
            choice: secret(choice), roots: seeds.roots(), shape: shape, session: session, sender: sender,
            receiver: receiver)
    }

    func answer(_ message: [UInt8]) throws(ThresholdError) -> ECDSA.ExtensionSender {
        try ECDSA.ExtensionSender(
            answering: message, coPaths: seeds.coPaths(), shape: shape, session: session, sender: sender,
            receiver: receiver)
    }

    /// Returns whether the sender detects nothing; if it does, it must name the receiver.
    func accepts(_ message: [UInt8]) -> Bool {
        do throws(ThresholdError) {
            _ = try answer(message)
            return true
        } catch {
            #expect(error == .cheating(by: receiver))
            return false
        }
    }
}

@Suite("ECDSA: the extension of oblivious transfer")
struct ExtensionTests {
    let known = KnownExtension()

    @Test("The receiver gets the pad of its bit, for each transfer and product, and no two pads are equal")
    func padsMatch() throws {
        let receiving = known.receive()
        let sending = try known.answer(receiving.message)
        #expect(receiving.base == sending.base)
        let width = 3
        let got = reveal(receiving.pads(width: width))
        let pads = sending.pads(width: width)
        let (zero, one) = (reveal(pads.zero), reveal(pads.one))
        #expect(got.count == known.shape.transfers * width * ECDSA.seedSize)
        var seen: Set<[UInt8]> = []
        for place in 0..<(known.shape.transfers * width) {
            let range = (place * ECDSA.seedSize)..<((place + 1) * ECDSA.seedSize)
            let (chosen, other) = bit(known.choice, place / width) == 0 ? (zero, one) : (one, zero)
            #expect(Array(got[range]) == Array(chosen[range]))
            seen.insert(Array(chosen[range]))
            seen.insert(Array(other[range]))
        }
        #expect(seen.count == 2 * known.shape.transfers * width)
    }

    @Test(
        "Message and pads are the bytes that the protocol page says, computed bit by bit",
        arguments: [ECDSA.ExtensionShape.signing, .widening, .reversing])
    func pageByPage(shape: ECDSA.ExtensionShape) throws {
        let known = KnownExtension(shape)
        let model = ExtensionModel(known)
        let receiving = known.receive()
        #expect(receiving.message == model.message)
        let sending = try known.answer(receiving.message)
        let pads = sending.pads(width: 2)
        #expect(reveal(receiving.pads(width: 2)) == model.receiverPads(width: 2))
        #expect(reveal(pads.zero) == model.senderPads(width: 2, bit: 0))
        #expect(reveal(pads.one) == model.senderPads(width: 2, bit: 1))
    }

    @Test("Golden bytes of the message")
    func golden() {
        let receiving = known.receive()
        #expect(receiving.message.count == 9_232)
        #expect(
            hex(SHA256.hash(receiving.message)) == "cb541d1178c6d8124285f4e2ed3af7a69e668c9b73a8eacbaf927878035334b7")
        #expect(
            hex(SHA256.hash(reveal(receiving.pads(width: 3))))
                == "3c42831480effb29bafb5628aedd15c788fa9943df8e456388f232c166139a38")
    }

    @Test(
        "ote_check_failure names the peer: any part of the message that is changed",
        arguments: [
            "corrections": 0..<5_120, "x": 5_120..<5_136, "t": 5_136..<9_232,
        ])
    func changedMessage(part: String, range: Range<Int>) {
        let message = known.receive().message
        #expect(known.accepts(message))
        let random = SeededRandom(seed: 3)
        let positions = (0..<20).map { _ in range.lowerBound + random.below(range.count) }
        for position in positions + [range.lowerBound, range.upperBound - 1] {
            var changed = message
            changed[position] ^= 1 << random.below(8)
            #expect(!known.accepts(changed), "\(part), byte \(position)")
        }
    }

    @Test("A message of another size is malformed")
    func size() {
        let message = known.receive().message
        #expect(throws: ThresholdError.malformed(.truncated)) { try discard(known.answer(message.dropLast())) }
        #expect(throws: ThresholdError.malformed(.truncated)) { try discard(known.answer([])) }
        #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) { try discard(known.answer(message + [0])) }
    }

    @Test("A message is refused in another session, from another receiver, and to another sender")
    func replay() {
        let message = known.receive().message
        var other = known
        other.session[31] ^= 1
        #expect(!other.accepts(message))
        for (sender, receiver) in [(3, 5), (2, 6), (5, 2)] {
            let (sender, receiver) = (ParticipantIndex(unchecked: sender), ParticipantIndex(unchecked: receiver))
            #expect(throws: ThresholdError.cheating(by: receiver)) {
                try discard(
                    ECDSA.ExtensionSender(
                        answering: message, coPaths: known.seeds.coPaths(), shape: known.shape,
                        session: known.session, sender: sender, receiver: receiver))
            }
        }
    }

    @Test("Extensions of different sessions, and of different directions, are independent")
    func independent() {
        var other = known
        other.session[0] ^= 1
        let first = known.receive()
        let second = other.receive()
        #expect(first.base != second.base)
        let same = zip(first.message, second.message).count { $0 == $1 }
        #expect(same < 9_232 / 64)
        let turned = ECDSA.ExtensionReceiver(
            choice: secret(known.choice), roots: known.seeds.roots(), shape: known.shape, session: known.session,
            sender: known.receiver, receiver: known.sender)
        #expect(turned.base != first.base)
    }

    /// The attack that the check prevents (selective abort): the receiver uses another choice in one tree, and survives
    /// if the sender's four bits of Δ there do not reveal it. By surviving it learns about these bits.
    @Test("A choice that differs in one tree passes only where the tree's bits of Δ are all 0")
    func selectiveAbort() {
        var seeds = known.seeds
        for tree in 0..<4 { seeds = seeds.withCorrelation(tree: tree, bits: tree) }
        for (tree, survives) in [(0, true), (1, false), (2, false), (3, false)] {
            let model = ExtensionModel(known, seeds: seeds, flipping: (tree: tree, column: 17))
            var known = known
            known.seeds = seeds
            #expect(known.accepts(model.message) == survives, "bits \(tree)")
        }
    }

    @Test("A guess at the four bits of one tree is right once in sixteen times")
    func selectiveAbortOdds() {
        // 256 sessions with a random Δ each, one tree flipped: about 16 survive.
        let random = SeededRandom(seed: 11)
        let model = ExtensionModel(known, flipping: (tree: 9, column: 300))
        var survived = 0
        for _ in 0..<256 {
            var known = known
            known.seeds = known.seeds.withCorrelation(random.publicBytes(count: known.shape.columnSize))
            if known.accepts(model.message) { survived += 1 }
        }
        #expect((4...32).contains(survived), "\(survived) of 256")
    }
}

/// Runs a closure that returns a noncopyable value, and drops the value.
func discard<Value: ~Copyable>(_ value: consuming Value) {}
