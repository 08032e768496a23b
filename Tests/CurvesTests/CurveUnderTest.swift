internal import CSecp256k1
internal import CSodium
internal import Curves

/// A curve, with the arithmetic of its C library for comparison.
protocol CurveUnderTest: Sendable {
    associatedtype Group: Curve
    static var name: String { get }
    /// The order n in the curve's byte order.
    static var order: [UInt8] { get }
    /// Computes sum, difference and product of two non-zero scalars with the library.
    static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]
    static func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]
    static func negated(_ scalar: [UInt8]) -> [UInt8]
    /// Returns a scalar from 1 to 255.
    static func small(_ value: UInt8) -> [UInt8]
    /// Encodings that are not points: malformed, off the curve, of small order, the identity.
    static var notPoints: [[UInt8]] { get }
}

enum Secp256k1UnderTest: CurveUnderTest {
    typealias Group = Secp256k1
    static let name = "secp256k1"
    static let order =
        [UInt8](repeating: 0xff, count: 15)
        + [0xfe, 0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41]

    private nonisolated(unsafe) static let context: OpaquePointer = {
        guard let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE)) else { fatalError("no memory") }
        return context
    }()

    static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = left
        let isKey = secp256k1_ec_seckey_tweak_add(context, &result, right) == 1
        // The library refuses the only sum that is zero.
        return isKey ? result : [UInt8](repeating: 0, count: 32)
    }

    static func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = left
        precondition(secp256k1_ec_seckey_tweak_mul(context, &result, right) == 1)
        return result
    }

    static func negated(_ scalar: [UInt8]) -> [UInt8] {
        var result = scalar
        precondition(secp256k1_ec_seckey_negate(context, &result) == 1)
        return result
    }

    static func small(_ value: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 31) + [value] }

    static let notPoints: [[UInt8]] = [
        // x = 5 has no point; x at and above the field's order; wrong prefixes; zeros.
        [2] + small(5),
        [2] + [UInt8](repeating: 0xff, count: 32),
        [4] + small(1), [0] + small(1), [6] + small(1),
        [UInt8](repeating: 0, count: 33),
    ]
}

enum Ed25519UnderTest: CurveUnderTest {
    typealias Group = Ed25519
    static let name = "edwards25519"
    static let order: [UInt8] =
        [0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14]
        + [UInt8](repeating: 0, count: 15) + [0x10]

    static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        crypto_core_ed25519_scalar_add(&result, left, right)
        return result
    }

    static func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        crypto_core_ed25519_scalar_mul(&result, left, right)
        return result
    }

    static func negated(_ scalar: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        crypto_core_ed25519_scalar_negate(&result, scalar)
        return result
    }

    static func small(_ value: UInt8) -> [UInt8] { [value] + [UInt8](repeating: 0, count: 31) }

    static let notPoints: [[UInt8]] = [
        // The identity; the points of order 2 and 4; y = 2, which has no point; y above the field's order; and the
        // generator plus the point of order 2, which is on the curve but outside the group of prime order.
        small(1),
        [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [UInt8](repeating: 0, count: 32),
        small(2),
        [UInt8](repeating: 0xff, count: 32),
        generatorPlusOrderTwo,
    ]

    private static let generatorPlusOrderTwo: [UInt8] = {
        // (x, y) + (0, -1) = (-x, -y): y = p - 4/5, and the other sign of x.
        let two: [UInt8] = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
        var sum = [UInt8](repeating: 0, count: 32)
        precondition(crypto_core_ed25519_add(&sum, Ed25519.Point.generator.encoded, two) == 0)
        return sum
    }()
}
