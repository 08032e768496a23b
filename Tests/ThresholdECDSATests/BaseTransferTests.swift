import Curves
import Encoding
import Secrets
import Synchronization
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// An honest run of a pair's base transfers. Both random sources are known, so that a test knows all secrets.
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

    /// Returns one point of a message, in its standard form: the receiver's, or the sender's.
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

    /// The offset of an instance.
    static func place(_ message: [UInt8], _ instance: Int) -> Int { instance * message.count / 128 }

    /// The offset of the y of one P.
    static func y(_ message: [UInt8], _ instance: Int, _ bit: Int) -> [UInt8] {
        let start = place(message, instance) + 128 + 32 * bit
        return Array(message[start..<(start + 32)])
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

    static func replacing(_ message: [UInt8], _ instance: Int, _ bit: Int, y: [UInt8]) -> [UInt8] {
        var message = message
        let start = place(message, instance) + 128 + 32 * bit
        message.replaceSubrange(start..<(start + 32), with: y)
        return message
    }

    /// Returns one pad.
    static func pad(_ pads: [UInt8], _ instance: Int) -> [UInt8] { Array(pads[(32 * instance)..<(32 * instance + 32)]) }
}

/// Counts the bytes drawn from it.
final class CountingRandom: RandomSource {
    private let draws = Mutex<[Int]>([])
    private let random: SeededRandom

    init(seed: UInt64 = 1) { random = SeededRandom(seed: seed) }

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

    @Test("The receiver gets the pad of its bit in each instance, and not the other")
    func padsMatch() {
        for instance in 0..<128 {
            let pads = [Known.pad(known.zero, instance), Known.pad(known.one, instance)]
            let chosen = bit(known.choice, instance)
            #expect(Known.pad(known.received, instance) == pads[chosen])
            #expect(Known.pad(known.received, instance) != pads[1 - chosen])
        }
        let weight = (0..<128).count { bit(known.choice, $0) == 1 }
        #expect((40...88).contains(weight))
    }

    @Test("base_ot_two_pads_independent: all pads of all instances differ, and match the protocol page")
    func pads() throws {
        let base = ECDSA.TaggedHash.hash("base ot", known.transfer.session, [1], [2])
        let padBase = ECDSA.TaggedHash.hash("base ot pads", known.transfer.session, [1], [2], known.message)
        // The sender's scalars: those of the pads 0, and then those of the pads 1.
        let random = SeededRandom(seed: Known.senderSeed)
        var seen: Set<[UInt8]> = []
        for bit in 0...1 {
            for instance in 0..<128 {
                let scalar = SecretScalar<Secp256k1>(from: random)
                #expect(scalar.timesGenerator().encoded == Known.point(known.answer, instance, bit))
                let own = try Secp256k1.Point(encoded: Known.point(known.message, instance, bit))
                let other = Known.point(known.message, instance, 1 - bit)
                let key = own + (try #require(hashed(base, bit, instance, other)))
                let pad = ECDSA.LoopHash(padBase).hash(
                    [UInt8(bit), UInt8(instance >> 8), UInt8(instance & 255)] + scalar.times(key).encoded)
                #expect(Known.pad(bit == 0 ? known.zero : known.one, instance) == pad)
                seen.insert(pad)
            }
        }
        #expect(seen.count == 256)
    }

    /// Computes P(b, k, r) by the protocol page.
    func hashed(_ base: [UInt8], _ bit: Int, _ instance: Int, _ other: [UInt8]) -> Secp256k1.Point? {
        let x = ECDSA.LoopHash(base).hash([UInt8(bit), UInt8(instance >> 8), UInt8(instance & 255)] + other)
        return try? Secp256k1.Point(encoded: [2] + x)
    }

    @Test("Each sent point is hashed to a point, whose y is sent")
    func ys() throws {
        let base = ECDSA.TaggedHash.hash("base ot", known.transfer.session, [1], [2])
        for instance in 0..<128 {
            for bit in 0...1 {
                let point = try #require(
                    hashed(base, bit, instance, Known.point(known.message, instance, 1 - bit)))
                #expect(Known.y(known.message, instance, bit) == Known.coordinates(point).suffix(32))
            }
        }
    }

    @Test("base_ot_hint_is_checked: y has to match the hashed point, and be even", arguments: [(0, 0), (127, 1)])
    func wrongYs(instance: Int, bit: Int) throws {
        let base = ECDSA.TaggedHash.hash("base ot", known.transfer.session, [1], [2])
        let point = try #require(hashed(base, bit, instance, Known.point(known.message, instance, 1 - bit)))
        let wrong = [
            Known.coordinates(-point).suffix(32), Known.y(known.message, instance, 1 - bit)[...],
            [UInt8](repeating: 0, count: 32)[...], ([UInt8](repeating: 255, count: 31) + [254])[...],
        ]
        for y in wrong {
            #expect(throws: ThresholdError.invalidElement) {
                try answer(Known.replacing(known.message, instance, bit, y: Array(y)))
            }
        }
    }

    @Test("base_ot_scalars_full_width_uniform: each is drawn from 64 bytes of its own, and no two are equal")
    func scalars() throws {
        let random = CountingRandom()
        discard(try ECDSA.BaseSender(answering: known.message, transfer: known.transfer, random: random))
        #expect(random.sizes == [Int](repeating: 64, count: 256))
        let receiving = CountingRandom()
        discard(ECDSA.BaseReceiver(transfer: known.transfer, random: receiving))
        // Its bits; for each instance as many attempts as a point needs, and then as many as a scalar needs.
        #expect(receiving.sizes.first == 16)
        #expect(Set(receiving.sizes.dropFirst()) == [33, 64])
        #expect(receiving.sizes.count { $0 == 64 } >= 128)
        for message in [known.message, known.answer] {
            let points = (0..<128).flatMap { instance in (0...1).map { Known.point(message, instance, $0) } }
            #expect(Set(points).count == 256)
        }
    }

    /// An observer of the receiver sees how often it draws for each of both points, and in which order. For both values
    /// of the bit these numbers must have the same distribution, and the sent points must not be likelier for one of
    /// them.
    @Test("base_ot_draws_tell_no_bit: the number of draws of points and scalars does not depend on the bit")
    func draws() {
        var points = [0, 0]
        var scalars = [0, 0]
        var instances = [0, 0]
        for seed in 0..<16 as Range<UInt64> {
            let random = CountingRandom(seed: seed)
            let receiver = ECDSA.BaseReceiver(transfer: known.transfer, random: random)
            let choice = reveal(receiver.choice)
            // A run of draws of points, and then of scalars, is one instance.
            var sizes = random.sizes.dropFirst()[...]
            for instance in 0..<128 {
                let chosen = bit(choice, instance)
                let pointDraws = sizes.prefix { $0 == 33 }.count
                sizes = sizes.dropFirst(pointDraws)
                let scalarDraws = sizes.prefix { $0 == 64 }.count
                sizes = sizes.dropFirst(scalarDraws)
                points[chosen] += pointDraws
                scalars[chosen] += scalarDraws
                instances[chosen] += 1
            }
            #expect(sizes.isEmpty)
        }
        // On average four points, since every second one is on the curve and every second of those has a hash that is; and two
        // scalars. The means of a thousand instances each: five standard deviations are 0.55 and 0.22.
        for bit in 0...1 {
            #expect(abs(Double(points[bit]) / Double(instances[bit]) - 4) < 0.55)
            #expect(abs(Double(scalars[bit]) / Double(instances[bit]) - 2) < 0.22)
        }
    }

    @Test("base_ot_receiver_cannot_learn_both: in each instance it knows the logarithm of one key only")
    func oneLogarithm() throws {
        let base = ECDSA.TaggedHash.hash("base ot", known.transfer.session, [1], [2])
        // The receiver's draws: its bits, and for each instance the other point, and then t, each until it hashes to a
        // point.
        let random = SeededRandom(seed: 20)
        #expect(random.publicBytes(count: 16) == known.choice)
        for instance in 0..<128 {
            let chosen = bit(known.choice, instance)
            var hidden = Secp256k1.Point(from: random)
            while hashed(base, chosen, instance, hidden.encoded) == nil { hidden = Secp256k1.Point(from: random) }
            #expect(hidden.encoded == Known.point(known.message, instance, 1 - chosen))
            let mask = try #require(hashed(base, chosen, instance, hidden.encoded))
            var scalar = SecretScalar<Secp256k1>(from: random)
            while hashed(base, 1 - chosen, instance, (scalar.timesGenerator() - mask).encoded) == nil {
                scalar = SecretScalar<Secp256k1>(from: random)
            }
            for bit in 0...1 {
                let own = try Secp256k1.Point(encoded: Known.point(known.message, instance, bit))
                let other = Known.point(known.message, instance, 1 - bit)
                let key = own + (try #require(hashed(base, bit, instance, other)))
                #expect((key == scalar.timesGenerator()) == (bit == chosen))
            }
            // Its data do not open the other pad either.
            let other = try Secp256k1.Point(encoded: Known.point(known.answer, instance, 1 - chosen))
            let padBase = ECDSA.TaggedHash.hash("base ot pads", known.transfer.session, [1], [2], known.message)
            let guess = ECDSA.LoopHash(padBase).hash(
                [UInt8(1 - chosen), UInt8(instance >> 8), UInt8(instance & 255)] + scalar.times(other).encoded)
            #expect(guess != Known.pad(chosen == 0 ? known.one : known.zero, instance))
        }
    }

    @Test("base_ot_rejects_identity/offcurve: each side, at any position, for any bits")
    func badPoints() throws {
        let receiver = known.receiver()
        let good = Array(known.message[0..<64])
        let order = [UInt8](repeating: 255, count: 27) + [254, 255, 255, 252, 47]
        let (x, y) = (Array(good[0..<32]), Array(good[32..<64]))
        let otherY: [UInt8] = y.dropLast() + [y[31] ^ 1]
        // Each sum on a line of its own: the compiler took ten seconds for a list of them.
        var bad = [[UInt8](repeating: 0, count: 64), [UInt8](repeating: 255, count: 64)]
        bad.append(x + otherY)
        bad.append(y + x)
        bad.append(order + y)
        for point in bad {
            for (instance, bit) in [(0, 0), (0, 1), (64, 0), (127, 0), (127, 1)] {
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
        let base = ECDSA.TaggedHash.hash("base ot", known.transfer.session, [1], [2])
        // With this point the other hashed point differs, which exists for every second instance.
        for instance in 0..<16 {
            let other = Known.point(known.message, instance, 1 - bit)
            let point = -(try #require(hashed(base, bit, instance, other)))
            guard let hashed = hashed(base, 1 - bit, instance, point.encoded) else { continue }
            let changed = Known.replacing(known.message, instance, bit, by: Known.coordinates(point))
            let y = Array(Known.coordinates(hashed).suffix(32))
            let message = Known.replacing(changed, instance, 1 - bit, y: y)
            #expect(throws: ThresholdError.invalidElement) { try answer(message) }
            // With any other point in its place, and the matching y, the message is answered.
            let random = SeededRandom(seed: 7)
            var good: [UInt8]?
            while good == nil {
                let point = Secp256k1.Point(from: random)
                guard let hashed = self.hashed(base, 1 - bit, instance, point.encoded) else { continue }
                good = Known.replacing(
                    Known.replacing(known.message, instance, bit, by: Known.coordinates(point)), instance, 1 - bit,
                    y: Array(Known.coordinates(hashed).suffix(32)))
            }
            try answer(good ?? [])
            return
        }
        Issue.record("none of 16 instances has both points")
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
            // Its hashed points belong to another session.
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
        for (one, other) in [(0..<192, 192..<384), (192..<384, 0..<192)] {
            #expect(throws: ThresholdError.invalidElement) {
                var message = known.message
                message.replaceSubrange(one, with: known.message[other])
                try answer(message)
            }
        }
        var exchanged = Known.replacing(known.message, 9, 0, by: Array(known.message[(9 * 192 + 64)..<(9 * 192 + 128)]))
        exchanged = Known.replacing(exchanged, 9, 1, by: Array(known.message[(9 * 192)..<(9 * 192 + 64)]))
        exchanged = Known.replacing(exchanged, 9, 0, y: Known.y(known.message, 9, 1))
        exchanged = Known.replacing(exchanged, 9, 1, y: Known.y(known.message, 9, 0))
        let message = exchanged
        #expect(throws: ThresholdError.invalidElement) { try answer(message) }
    }

    @Test("Golden bytes of messages and pads")
    func golden() {
        #expect(known.message.count == 24_576)
        #expect(known.answer.count == 16_384)
        #expect(hex(SHA256.hash(known.message)) == "92a056704c165e160d6e0275c659e0928d0c8cebab564829a7ad663440de838d")
        #expect(hex(SHA256.hash(known.answer)) == "6c160d9223c598fd2a13b74fef3b3b48357d90ae2dab90c1c9302b1ed8068183")
        #expect(hex(SHA256.hash(known.received)) == "222b3b399ff897e1823d2d863ada293a8a3044527c3792fc8f84844ba958d543")
    }
}

extension [UInt8] {
    /// Splits bytes into pieces of one size.
    func chunks(_ size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
