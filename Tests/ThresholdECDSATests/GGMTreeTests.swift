import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

@Suite("ECDSA: the punctured trees")
struct GGMTreeTests {
    let trees = ECDSA.GGMTrees(
        rows: 256, session: [UInt8](repeating: 8, count: 32), sender: ParticipantIndex(unchecked: 4),
        receiver: ParticipantIndex(unchecked: 1))
    let sender = ParticipantIndex(unchecked: 4)
    let zero: [UInt8]
    let one: [UInt8]
    let choice: [UInt8]

    init() {
        let random = SeededRandom(seed: 30)
        zero = random.publicBytes(count: 256 * 32)
        one = random.publicBytes(count: 256 * 32)
        choice = random.publicBytes(count: 32)
    }

    func send() -> ECDSA.TreeSender {
        ECDSA.TreeSender(pads: ECDSA.SenderPads(zero: secret(zero), one: secret(one)), trees: trees)
    }

    /// The pads of the receiver's bits.
    func chosen(_ choice: [UInt8]) -> [UInt8] {
        (0..<256).flatMap { (bit(choice, $0) == 0 ? zero : one)[(32 * $0)..<(32 * $0 + 32)] }
    }

    func receive(_ message: [UInt8], trees: ECDSA.GGMTrees? = nil) throws(ThresholdError) -> ECDSA.CoPaths {
        try ECDSA.TreeReceiver.coPaths(
            from: message, pads: secret(chosen(choice)), choice: secret(choice), trees: trees ?? self.trees,
            sender: sender)
    }

    func accepts(_ message: [UInt8]) -> Bool {
        do throws(ThresholdError) {
            discard(try receive(message))
            return true
        } catch {
            #expect(error == .cheating(by: sender))
            return false
        }
    }

    @Test("The receiver has all leaves but the one of its complement, in relative order")
    func leaves() throws {
        let sent = send()
        let all = sent.roots.seeds()
        let coPaths = try receive(sent.message)
        #expect(reveal(coPaths.correlation()) == choice.map { ~$0 })
        let got = coPaths.seeds()
        #expect(got.count == 64 && got.allSatisfy { $0.count == 15 })
        for tree in 0..<64 {
            let missing = (0..<4).reduce(0) { 2 * $0 + 1 - bit(choice, 4 * tree + $1) }
            for y in 1...15 { #expect(got[tree][y - 1] == all[tree][y ^ missing]) }
            #expect(!got.joined().contains(all[tree][missing]))
        }
    }

    @Test("The message and the seeds match the protocol page")
    func model() {
        let sent = send()
        let base = ECDSA.TaggedHash.hash("punctured trees", [UInt8](repeating: 8, count: 32), [1, 0], [4], [1])
        #expect(trees.base == base)
        let hash = ECDSA.LoopHash(base)
        var message: [UInt8] = []
        var seeds: [[[UInt8]]] = []
        for tree in 0..<64 {
            func pad(_ bit: Int, _ level: Int) -> [UInt8] { (bit == 0 ? zero : one).chunks(32)[4 * tree + level - 1] }
            func node(_ path: [Int]) -> [UInt8] {
                guard let last = path.last, path.count > 1 else { return pad(path[0], 1) }
                return hash.hash([UInt8(tree), UInt8(path.count), UInt8(last)] + node(path.dropLast()))
            }
            func paths(_ level: Int) -> [[Int]] {
                (0..<(1 << level)).map { number in (1...level).map { number >> (level - $0) & 1 } }
            }
            for level in 2...4 {
                for bit in 0...1 {
                    message += paths(level).filter { $0.last == bit }.map(node).reduce(pad(bit, level), xor)
                }
            }
            let leaves = paths(4).map(node)
            func used(_ leaf: [UInt8], _ purpose: UInt8) -> [UInt8] { hash.hash([UInt8(tree), 5, purpose] + leaf) }
            seeds.append(leaves.map { used($0, 0) })
            let checks = leaves.map { used($0, 1) + used($0, 2) }
            message += checks.reduce([UInt8](repeating: 0, count: 64), xor)
            message += SHA512.hash(base + base + [UInt8(tree)] + checks.flatMap { $0 })
        }
        #expect(sent.message == message)
        #expect(sent.roots.seeds() == seeds)
    }

    /// Selective abort: a sender that changes one sum survives if the receiver does not need that sum, which reveals
    /// one bit to it.
    @Test("A changed sum is detected exactly where the receiver's bit needs it; other changes always")
    func tamperedTrees() {
        let message = send().message
        #expect(accepts(message))
        let random = SeededRandom(seed: 31)
        var caught = 0
        for tree in stride(from: 0, to: 64, by: 9) {
            for level in 2...4 {
                for side in 0...1 {
                    var changed = message
                    changed[320 * tree + 32 * (2 * (level - 2) + side) + random.below(32)] ^= 1 << random.below(8)
                    let isNeeded = bit(choice, 4 * tree + level - 1) == side
                    #expect(accepts(changed) == !isNeeded, "tree \(tree), level \(level), \(side)")
                    if isNeeded { caught += 1 }
                }
            }
            for range in [192..<256, 256..<320] {
                var changed = message
                changed[320 * tree + range.lowerBound + random.below(64)] ^= 1 << random.below(8)
                #expect(!accepts(changed), "tree \(tree), \(range)")
            }
        }
        #expect(caught == 8 * 3)
    }

    @Test("A tree with another leaf is detected, even if the sum of the checks fits it")
    func otherLeaf() {
        // The sender hashes the checks of another tree: the sums are right, but the leaves do not match the hash.
        var message = send().message
        message.replaceSubrange(0..<320, with: message[320..<640])
        #expect(!accepts(message))
    }

    @Test("Trees of another session, or between others, are refused")
    func replay() {
        let message = send().message
        for (session, sender, receiver) in [(9, 4, 1), (8, 5, 1), (8, 4, 2), (8, 1, 4)] as [(UInt8, Int, Int)] {
            let other = ECDSA.GGMTrees(
                rows: 256, session: [UInt8](repeating: session, count: 32), sender: ParticipantIndex(unchecked: sender),
                receiver: ParticipantIndex(unchecked: receiver))
            #expect(throws: ThresholdError.cheating(by: self.sender)) { discard(try receive(message, trees: other)) }
        }
    }

    @Test("12 KB are stored, from which 60 KB of seeds are derived")
    func sizesOfWhatIsKept() throws {
        let sent = send()
        let coPaths = try receive(sent.message)
        #expect(coPaths.bytes.count == 32 + 64 * 4 * 32)
        #expect(sent.roots.bytes.count == 64 * 2 * 32)
    }

    @Test("A message of another size is malformed")
    func sizes() {
        let message = send().message
        #expect(throws: ThresholdError.malformed(.truncated)) { discard(try receive(message.dropLast())) }
        #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) { discard(try receive(message + [0])) }
    }

    @Test("Golden bytes of message and seeds")
    func golden() throws {
        let sent = send()
        #expect(sent.message.count == 20_480)
        #expect(hex(SHA256.hash(sent.message)) == "65f40a426ee3bc4782ba2e72a91b85412be5aed31b9d6ace22d793fa62417bcc")
        let coPaths = reveal(try receive(sent.message).bytes)
        #expect(hex(SHA256.hash(coPaths)) == "e41fe9a8010ef012574c1cde454954b5ccd40d2e605d30c967f60eae84350362")
    }

    @Test("Trees serve both directions of extensions")
    func extensions() throws {
        let sent = send()
        let coPaths = try receive(sent.message)
        let session = [UInt8](repeating: 1, count: 32)
        let receiving = ECDSA.ExtensionReceiver(
            choice: secret(choice + [UInt8](repeating: 9, count: 48)), roots: sent.roots, shape: .signing,
            session: session, sender: ParticipantIndex(unchecked: 1), receiver: sender)
        let sending = try ECDSA.ExtensionSender(
            answering: receiving.message, coPaths: coPaths, shape: .signing, session: session,
            sender: ParticipantIndex(unchecked: 1), receiver: sender)
        let pads = sending.pads(width: 1)
        let (zero, one) = (reveal(pads.zero).chunks(32), reveal(pads.one).chunks(32))
        for (column, pad) in reveal(receiving.pads(width: 1)).chunks(32).enumerated().prefix(256) {
            #expect(pad == (bit(choice, column) == 0 ? zero : one)[column])
        }
    }
}
