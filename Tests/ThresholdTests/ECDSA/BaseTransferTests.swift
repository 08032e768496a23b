import Curves
import Encoding
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import Threshold

/// The base transfers of a pair, played honestly. Both random sources are known, so that a test knows all secrets.
struct KnownBaseTransfer {
    static let shared = KnownBaseTransfer()

    let transfer = ECDSA.BaseTransfer(
        session: [UInt8](repeating: 5, count: 32), sender: ParticipantIndex(unchecked: 1),
        receiver: ParticipantIndex(unchecked: 2))
    let choice: [UInt8]
    let message: [UInt8]
    let answer: [UInt8]
    let zero: [UInt8]
    let one: [UInt8]
    let received: [UInt8]

    func receiver() -> ECDSA.BaseReceiver {
        ECDSA.BaseReceiver(transfer: transfer, random: SeededRandom(seed: 20))
    }

    static let senderSeed: UInt64 = 21

    private init() {
        do {
            let receiver = ECDSA.BaseReceiver(transfer: transfer, random: SeededRandom(seed: 20))
            let sender = try ECDSA.BaseSender(
                answering: receiver.message, transfer: transfer, random: SeededRandom(seed: Self.senderSeed))
            choice = reveal(receiver.choice)
            message = receiver.message
            answer = sender.message
            zero = reveal(sender.pads.zero)
            one = reveal(sender.pads.one)
            received = reveal(try receiver.pads(answer: sender.message))
        } catch { fatalError("\(error)") }
    }

    /// One point of a message.
    static func point(_ message: [UInt8], _ instance: Int, _ bit: Int) -> [UInt8] {
        let start = (2 * instance + bit) * 33
        return Array(message[start..<(start + 33)])
    }

    static func replacing(_ message: [UInt8], _ instance: Int, _ bit: Int, by point: [UInt8]) -> [UInt8] {
        var message = message
        let start = (2 * instance + bit) * 33
        message.replaceSubrange(start..<(start + 33), with: point)
        return message
    }

    /// One pad.
    static func pad(_ pads: [UInt8], _ instance: Int) -> [UInt8] { Array(pads[(32 * instance)..<(32 * instance + 32)]) }
}

/// Counts what is drawn of it.
final class CountingRandom: RandomSource {
    private let draws = Mutex<[Int]>([])
    private let random = SeededRandom(seed: 1)

    func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        random.fill(buffer)
        draws.withLock { $0.append(buffer.count) }
    }

    var sizes: [Int] { draws.withLock { $0 } }
}

@Suite("ECDSA: the base transfers")
struct BaseTransferTests {
    typealias Known = KnownBaseTransfer
    let known = KnownBaseTransfer.shared

    func answer(_ message: [UInt8]) throws(ThresholdError) {
        discard(try ECDSA.BaseSender(answering: message, transfer: known.transfer, random: SeededRandom(seed: 1)))
    }

    @Test("The receiver gets the pad of its bit, of each instance, and not the other")
    func padsMatch() {
        for instance in 0..<256 {
            let pads = [Known.pad(known.zero, instance), Known.pad(known.one, instance)]
            let chosen = bit(known.choice, instance)
            #expect(Known.pad(known.received, instance) == pads[chosen])
            #expect(Known.pad(known.received, instance) != pads[1 - chosen])
        }
        let weight = (0..<256).count { bit(known.choice, $0) == 1 }
        #expect((90...166).contains(weight))
    }

    @Test("base_ot_two_pads_independent: all pads of all instances differ, and follow the protocol page")
    func pads() throws {
        let base = ECDSA.Oracle.hash("base ot", known.transfer.session, [1], [2])
        let padBase = ECDSA.Oracle.hash("base ot pads", known.transfer.session, [1], [2], known.message)
        // The sender's scalars: those of the pads 0, and then those of the pads 1.
        let random = SeededRandom(seed: Known.senderSeed)
        var seen: Set<[UInt8]> = []
        for bit in 0...1 {
            for instance in 0..<256 {
                let scalar = SecretScalar<Secp256k1>(from: random)
                #expect(scalar.timesGenerator().encoded == Known.point(known.answer, instance, bit))
                let own = try Secp256k1.Point(encoded: Known.point(known.message, instance, bit))
                let key = own + hashed(base, bit, instance, Known.point(known.message, instance, 1 - bit))
                let pad = ECDSA.LoopHash(padBase).hash(
                    [UInt8(bit), UInt8(instance >> 8), UInt8(instance & 255)] + scalar.times(key).encoded)
                #expect(Known.pad(bit == 0 ? known.zero : known.one, instance) == pad)
                seen.insert(pad)
            }
        }
        #expect(seen.count == 512)
    }

    /// P(b, k, r), as the page says it.
    func hashed(_ base: [UInt8], _ bit: Int, _ instance: Int, _ other: [UInt8]) -> Secp256k1.Point {
        for attempt in 0..<256 {
            let x = ECDSA.LoopHash(base).hash(
                [UInt8(bit), UInt8(instance >> 8), UInt8(instance & 255), 0, UInt8(attempt)] + other)
            if let point = try? Secp256k1.Point(encoded: [2] + x) { return point }
        }
        fatalError("none of 256")
    }

    @Test("base_ot_scalars_full_width_uniform: each is drawn from 64 bytes of its own, and no two are the same")
    func scalars() throws {
        let random = CountingRandom()
        discard(try ECDSA.BaseSender(answering: known.message, transfer: known.transfer, random: random))
        #expect(random.sizes == [Int](repeating: 64, count: 512))
        let receiving = CountingRandom()
        discard(ECDSA.BaseReceiver(transfer: known.transfer, random: receiving))
        // Its bits, a scalar for each instance, and as many tries for a point as it takes.
        #expect(receiving.sizes.first == 32)
        #expect(receiving.sizes.count { $0 == 64 } == 256)
        #expect(receiving.sizes.count { $0 == 33 } == receiving.sizes.count - 257)
        for message in [known.message, known.answer] {
            let points = (0..<256).flatMap { instance in (0...1).map { Known.point(message, instance, $0) } }
            #expect(Set(points).count == 512)
        }
    }

    @Test("base_ot_receiver_cannot_learn_both: of each instance it knows the logarithm of one key")
    func oneLogarithm() throws {
        let base = ECDSA.Oracle.hash("base ot", known.transfer.session, [1], [2])
        // The receiver's draws: its bits, and of each instance t and then the other point's.
        let random = SeededRandom(seed: 20)
        #expect(random.publicBytes(count: 32) == known.choice)
        for instance in 0..<256 {
            let scalar = SecretScalar<Secp256k1>(from: random)
            _ = Secp256k1.Point(from: random)
            let chosen = bit(known.choice, instance)
            for bit in 0...1 {
                let own = try Secp256k1.Point(encoded: Known.point(known.message, instance, bit))
                let key = own + hashed(base, bit, instance, Known.point(known.message, instance, 1 - bit))
                #expect((key == scalar.timesGenerator()) == (bit == chosen))
            }
            // What it has does not open the other pad either.
            let other = try Secp256k1.Point(encoded: Known.point(known.answer, instance, 1 - chosen))
            let padBase = ECDSA.Oracle.hash("base ot pads", known.transfer.session, [1], [2], known.message)
            let guess = ECDSA.LoopHash(padBase).hash(
                [UInt8(1 - chosen), UInt8(instance >> 8), UInt8(instance & 255)] + scalar.times(other).encoded)
            #expect(guess != Known.pad(chosen == 0 ? known.one : known.zero, instance))
        }
    }

    @Test("base_ot_rejects_identity/offcurve: each side, at any place, whatever the bits are")
    func badPoints() throws {
        let receiver = known.receiver()
        let offCurve = [2] + [UInt8](repeating: 0, count: 31) + [5]
        let bad = [
            offCurve, [UInt8](repeating: 0, count: 33), [4] + known.message[1..<33],
            [2] + [UInt8](repeating: 255, count: 32),
        ]
        for point in bad {
            for (instance, bit) in [(0, 0), (0, 1), (128, 0), (255, 0), (255, 1)] {
                #expect(throws: ThresholdError.invalidElement) {
                    try answer(Known.replacing(known.message, instance, bit, by: point))
                }
                #expect(throws: ThresholdError.invalidElement) {
                    discard(try receiver.pads(answer: Known.replacing(known.answer, instance, bit, by: point)))
                }
            }
        }
    }

    @Test("base_ot_rejects_identity: a choice that makes the sender's key the identity", arguments: [0, 1])
    func identityKey(bit: Int) throws {
        let base = ECDSA.Oracle.hash("base ot", known.transfer.session, [1], [2])
        let point = -hashed(base, bit, 7, Known.point(known.message, 7, 1 - bit))
        #expect(throws: ThresholdError.invalidElement) {
            try answer(Known.replacing(known.message, 7, bit, by: point.encoded))
        }
    }

    @Test("A message of another size is malformed")
    func sizes() {
        let receiver = known.receiver()
        #expect(throws: ThresholdError.malformed(.truncated)) { try answer(known.message.dropLast()) }
        #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) { try answer(known.message + [2]) }
        #expect(throws: ThresholdError.malformed(.truncated)) {
            discard(try receiver.pads(answer: known.answer.dropLast()))
        }
        #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) {
            discard(try receiver.pads(answer: known.answer + [2]))
        }
    }

    @Test("In another session, or between others, the same messages give other pads")
    func bound() throws {
        for (session, sender, receiver) in [(6, 1, 2), (5, 3, 2), (5, 1, 3), (5, 2, 1)] as [(UInt8, Int, Int)] {
            let transfer = ECDSA.BaseTransfer(
                session: [UInt8](repeating: session, count: 32), sender: ParticipantIndex(unchecked: sender),
                receiver: ParticipantIndex(unchecked: receiver))
            let other = try ECDSA.BaseSender(
                answering: known.message, transfer: transfer, random: SeededRandom(seed: Known.senderSeed))
            #expect(other.message == known.answer)
            #expect(reveal(other.pads.zero) != known.zero)
            #expect(Set(reveal(other.pads.zero).chunks(32)).isDisjoint(with: known.zero.chunks(32)))
        }
    }

    @Test("Messages and pads stay what they are")
    func golden() {
        #expect(known.message.count == 16_896)
        #expect(known.answer.count == 16_896)
        #expect(hex(SHA256.hash(known.message)) == "6797f031dfcec9e6c2d233a5d69bb7434f10361b5206acb7a8b30c928e133ab1")
        #expect(hex(SHA256.hash(known.answer)) == "3b49774052a71ff1f471454960d12d1764c0222ca42b86ec6bb3603dc3e2c585")
        #expect(hex(SHA256.hash(known.received)) == "57960c44c0ed593c4f323b1370807049539e6ee601b0a7dc5eb56d4920124976")
    }
}

extension [UInt8] {
    /// The bytes in pieces of one size.
    func chunks(_ size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
