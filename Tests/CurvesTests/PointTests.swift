internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import Curves

@Suite("Points")
struct PointTests {
    private static let curves: [any CurveUnderTest.Type] = [Secp256k1UnderTest.self, Ed25519UnderTest.self]

    @Test("the map from scalars to points is a homomorphism", arguments: curves)
    func homomorphism(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Point = Tested.Group.Point
            let random = SeededRandom(seed: 21)
            let generator = Point.generator
            for _ in 0..<20 {
                let a = Scalar<Tested.Group>(reducing: random.publicBytes(count: 64))
                let b = Scalar<Tested.Group>(reducing: random.publicBytes(count: 64))
                let (aG, bG) = (generator.multipliedVariableTime(by: a), generator.multipliedVariableTime(by: b))
                #expect(aG + bG == generator.multipliedVariableTime(by: a + b))
                #expect(aG - bG == generator.multipliedVariableTime(by: a - b))
                #expect(-aG == generator.multipliedVariableTime(by: -a))
                let abG = generator.multipliedVariableTime(by: a * b)
                #expect(aG.multipliedVariableTime(by: b) == abG)
                // The constant-time paths give the same results.
                #expect(SecretScalar(a).timesGenerator() == aG)
                #expect(SecretScalar(b).times(aG) == abG)
                let shared = try SecretScalar(a).sharedSecret(with: bG)
                #expect(shared.withUnsafeBytes { Array($0) } == abG.encoded)
                #expect(try Point(encoded: abG.encoded) == abG)
            }
        }
        try run(curve)
    }

    @Test("the identity is neutral, and sums that should be the identity are", arguments: curves)
    func identity(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Point = Tested.Group.Point
            let (identity, generator) = (Point.identity, Point.generator)
            #expect(identity.isIdentity)
            #expect(!generator.isIdentity)
            #expect(generator + identity == generator)
            #expect(identity + generator == generator)
            #expect((generator - generator).isIdentity)
            #expect((generator + -generator).isIdentity)
            #expect((-identity).isIdentity)
            #expect((identity + identity).isIdentity)
            #expect(generator != identity)
            let (zero, one) = (Scalar<Tested.Group>.zero, Scalar<Tested.Group>.one)
            #expect(generator.multipliedVariableTime(by: zero).isIdentity)
            #expect(identity.multipliedVariableTime(by: one).isIdentity)
            #expect(generator.multipliedVariableTime(by: one) == generator)
            let double = generator + generator
            #expect(double.multipliedVariableTime(by: zero).isIdentity)
            #expect(SecretScalar(zero).timesGenerator().isIdentity)
            #expect(SecretScalar(zero).times(double).isIdentity)
            #expect(SecretScalar(one).times(identity).isIdentity)
            #expect(throws: CurvesError.zero) { _ = try SecretScalar(zero).sharedSecret(with: double) }
            #expect(throws: CurvesError.zero) { _ = try SecretScalar(one).sharedSecret(with: identity) }
        }
        try run(curve)
    }

    @Test("encodings other than a point's one form are refused", arguments: curves)
    func refused(_ curve: any CurveUnderTest.Type) {
        func run<Tested: CurveUnderTest>(_: Tested.Type) {
            typealias Point = Tested.Group.Point
            for bytes in Tested.notPoints {
                #expect(throws: CurvesError.invalidPoint, "\(hex(bytes))") { try Point(encoded: bytes) }
            }
            let size = Tested.Group.pointSize
            for count in [0, size - 1, size + 1, 65] {
                #expect(throws: CurvesError.wrongSize(expected: size, got: count)) {
                    try Point(encoded: [UInt8](repeating: 2, count: count))
                }
            }
        }
        run(curve)
    }

    @Test("a point with a component of order 2 is detected by arithmetic, where the library accepts it")
    func subgroup() throws {
        for scalar in 1...20 as ClosedRange<UInt64> {
            let point = Ed25519.Point.generator.multipliedVariableTime(by: Scalar(scalar))
            #expect(Ed25519.Subgroup.isNegatedByOrderMinusOne(point.encoded))
        }
        let outside = try #require(Ed25519UnderTest.notPoints.last)
        #expect(!Ed25519.Subgroup.isNegatedByOrderMinusOne(outside))
        #expect(!Ed25519.Subgroup.isNegatedByOrderMinusOne(Ed25519.Subgroup.orderTwo))
    }

    @Test("any bytes decode to a point with the same encoding, or are refused", arguments: curves)
    func fuzz(_ curve: any CurveUnderTest.Type) {
        func run<Tested: CurveUnderTest>(_: Tested.Type) {
            let seeds = (1...4).map { Tested.Group.Point.generator.multipliedVariableTime(by: Scalar($0)).encoded }
            Fuzz.roundTrips(
                of: seeds, iterations: 2_000, decode: { try Tested.Group.Point(encoded: $0) }, encode: { $0.encoded })
        }
        run(curve)
    }

    @Test("an x-coordinate alone decodes to the point with the even y")
    func xOnly() throws {
        let random = SeededRandom(seed: 22)
        var parities: Set<Bool> = []
        for _ in 0..<20 {
            let point = SecretScalar<Secp256k1>(from: random).timesGenerator()
            let lifted = try Secp256k1.Point(xOnly: point.xOnly)
            #expect(lifted.hasEvenY)
            #expect(lifted == (point.hasEvenY ? point : -point))
            #expect(point.encoded == [point.hasEvenY ? 2 : 3] + point.xOnly)
            parities.insert(point.hasEvenY)
        }
        #expect(parities == [true, false])
        #expect(throws: CurvesError.invalidPoint) { try Secp256k1.Point(xOnly: Secp256k1UnderTest.small(5)) }
        #expect(throws: CurvesError.wrongSize(expected: 32, got: 33)) {
            try Secp256k1.Point(xOnly: [UInt8](repeating: 2, count: 33))
        }
    }

    @Test("random points are on the curve, of either parity, and never repeat")
    func randomPoints() {
        let random = SeededRandom(seed: 0x9017)
        let points = (0..<200).map { _ in Secp256k1.Point(from: random) }
        #expect(points.allSatisfy { !$0.isIdentity })
        #expect(Set(points.map(\.encoded)).count == 200)
        #expect((70...130).contains(points.count(where: \.hasEvenY)))
    }
}
