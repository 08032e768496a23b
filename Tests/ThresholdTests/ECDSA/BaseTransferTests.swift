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

    /// One point of a message, in its standard form: of the receiver's, or of the sender's.
    static func point(_ message: [UInt8], _ instance: Int, _ bit: Int) -> [UInt8] {
        let start = place(message, instance) + 64 * bit
        return encoded(Array(message[start..<(start + 64)]))
    }

    static func encoded(_ coordinates: [UInt8]) -> [UInt8] { [2 | coordinates[63] & 1] + coordinates.prefix(32) }

    static func coordinates(_ point: Secp256k1.Point) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        bytes.withUnsafeMutableBytes { point.write(coordinates: $0) }
        return bytes
    }

    /// Where an instance begins.
    static func place(_ message: [UInt8], _ instance: Int) -> Int { instance * message.count / 256 }

    /// c and y of one P.
    static func hint(_ message: [UInt8], _ instance: Int, _ bit: Int) -> [UInt8] {
        let start = place(message, instance) + 128 + 33 * bit
        return Array(message[start..<(start + 33)])
    }

    /// - Parameter coordinates: 64 bytes.
    static func replacing(
        _ message: [UInt8], _ instance: Int, _ bit: Int, by coordinates: [UInt8]
    ) -> [UInt8] {
        var message = message
        let start = place(message, instance) + 64 * bit
        message.replaceSubrange(start..<(start + 64), with: coordinates)
        return message
    }

    static func replacing(_ message: [UInt8], _ instance: Int, _ bit: Int, hint: [UInt8]) -> [UInt8] {
        var message = message
        let start = place(message, instance) + 128 + 33 * bit
        message.replaceSubrange(start..<(start + 33), with: hint)
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
                let key = own + hashed(base, bit, instance, Known.point(known.message, instance, 1 - bit)).point
                let pad = ECDSA.LoopHash(padBase).hash(
                    [UInt8(bit), UInt8(instance >> 8), UInt8(instance & 255)] + scalar.times(key).encoded)
                #expect(Known.pad(bit == 0 ? known.zero : known.one, instance) == pad)
                seen.insert(pad)
            }
        }
        #expect(seen.count == 512)
    }

    /// P(b, k, c, r) for the first c for which there is one, as the page says it.
    func hashed(
        _ base: [UInt8], _ bit: Int, _ instance: Int, _ other: [UInt8], after first: Int = 0
    ) -> (point: Secp256k1.Point, hint: [UInt8]) {
        for attempt in first..<256 {
            let x = ECDSA.LoopHash(base).hash(
                [UInt8(bit), UInt8(instance >> 8), UInt8(instance & 255), UInt8(attempt)] + other)
            if let point = try? Secp256k1.Point(encoded: [2] + x) {
                return (point, [UInt8(attempt)] + Known.coordinates(point).suffix(32))
            }
        }
        fatalError("none of 256")
    }

    @Test("What helps the sender to the hashed points follows from the points, and tells no bit")
    func hints() {
        let base = ECDSA.Oracle.hash("base ot", known.transfer.session, [1], [2])
        for instance in 0..<256 {
            for bit in 0...1 {
                let expected = hashed(base, bit, instance, Known.point(known.message, instance, 1 - bit)).hint
                #expect(Known.hint(known.message, instance, bit) == expected)
            }
        }
    }

    @Test("base_ot_hint_is_checked: the hashed point's y is that of the hash, and even", arguments: [(0, 0), (255, 1)])
    func wrongHints(instance: Int, bit: Int) throws {
        let base = ECDSA.Oracle.hash("base ot", known.transfer.session, [1], [2])
        let other = Known.point(known.message, instance, 1 - bit)
        let (point, hint) = hashed(base, bit, instance, other)
        let next = hashed(base, bit, instance, other, after: Int(hint[0]) + 1)
        let odd = [hint[0]] + Known.coordinates(-point).suffix(32)
        let wrong = [
            odd, [hint[0]] + next.hint.dropFirst(), [next.hint[0]] + hint.dropFirst(), [UInt8](repeating: 0, count: 33),
            [hint[0]] + [UInt8](repeating: 255, count: 31) + [254],
        ]
        for hint in wrong {
            #expect(throws: ThresholdError.invalidElement) {
                try answer(Known.replacing(known.message, instance, bit, hint: hint))
            }
        }
        // Another c is as good as the first, for it is hashed: but then the pads are others.
        let sender = try ECDSA.BaseSender(
            answering: Known.replacing(known.message, instance, bit, hint: next.hint), transfer: known.transfer,
            random: SeededRandom(seed: Known.senderSeed))
        #expect(Set(reveal(sender.pads.zero).chunks(32)).isDisjoint(with: known.zero.chunks(32)))
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
                let key = own + hashed(base, bit, instance, Known.point(known.message, instance, 1 - bit)).point
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
        let good = Array(known.message[0..<64])
        let order = [UInt8](repeating: 255, count: 27) + [254, 255, 255, 252, 47]
        let bad = [
            Array(good[0..<63]) + [good[63] ^ 1], [UInt8](repeating: 0, count: 64), Array(good[32..<64] + good[0..<32]),
            order + good[32..<64], [UInt8](repeating: 255, count: 64),
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
        let point = -hashed(base, bit, 7, Known.point(known.message, 7, 1 - bit)).point
        let changed = Known.replacing(known.message, 7, bit, by: Known.coordinates(point))
        // With this point the other hashed point is another.
        let hint = hashed(base, 1 - bit, 7, point.encoded).hint
        #expect(throws: ThresholdError.invalidElement) {
            try answer(Known.replacing(changed, 7, 1 - bit, hint: hint))
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

    @Test("In another session, or between others, a message is refused, and the same message gives other pads")
    func bound() {
        var hashes = [known.transfer.padHash(message: known.message), known.transfer.padHash(message: known.answer)]
        for (session, sender, receiver) in [(6, 1, 2), (5, 3, 2), (5, 1, 3), (5, 2, 1)] as [(UInt8, Int, Int)] {
            let transfer = ECDSA.BaseTransfer(
                session: [UInt8](repeating: session, count: 32), sender: ParticipantIndex(unchecked: sender),
                receiver: ParticipantIndex(unchecked: receiver))
            // Its hashed points are not those of this session.
            #expect(throws: ThresholdError.invalidElement) {
                discard(
                    try ECDSA.BaseSender(answering: known.message, transfer: transfer, random: SeededRandom(seed: 1)))
            }
            hashes.append(transfer.padHash(message: known.message))
        }
        #expect(Set(hashes.map { $0.hash([0]) }).count == hashes.count)
    }

    @Test("A message whose hashed points are those of another instance, or of the other bit, is refused")
    func places() {
        for (one, other) in [(0..<194, 194..<388), (194..<388, 0..<194)] {
            #expect(throws: ThresholdError.invalidElement) {
                var message = known.message
                message.replaceSubrange(one, with: known.message[other])
                try answer(message)
            }
        }
        var exchanged = Known.replacing(known.message, 9, 0, by: Array(known.message[(9 * 194 + 64)..<(9 * 194 + 128)]))
        exchanged = Known.replacing(exchanged, 9, 1, by: Array(known.message[(9 * 194)..<(9 * 194 + 64)]))
        exchanged = Known.replacing(exchanged, 9, 0, hint: Known.hint(known.message, 9, 1))
        exchanged = Known.replacing(exchanged, 9, 1, hint: Known.hint(known.message, 9, 0))
        let message = exchanged
        #expect(throws: ThresholdError.invalidElement) { try answer(message) }
    }

    @Test("Messages and pads stay what they are")
    func golden() {
        #expect(known.message.count == 49_664)
        #expect(known.answer.count == 32_768)
        #expect(hex(SHA256.hash(known.message)) == "a9cef3ca981fce58d408ec6b9c4c6a04e41f10482ef0485d1e96272fdf6079e5")
        #expect(hex(SHA256.hash(known.answer)) == "316a2d13dc39480de06ea3935c67cdc5424efcaa2008ea54bb7da132411c4096")
        #expect(hex(SHA256.hash(known.received)) == "e06a6abe01de950107e5692d8dc80998ab57f13961f7c0e3b02eefb8e253756a")
    }
}

extension [UInt8] {
    /// The bytes in pieces of one size.
    func chunks(_ size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
