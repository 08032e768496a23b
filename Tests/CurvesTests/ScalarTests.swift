internal import Curves
internal import Secrets
internal import TestSupport
internal import Testing

/// One suite over both curves: every operation against the C library, on random numbers and at the edges.
@Suite("Scalars")
struct ScalarTests {
    private static let curves: [any CurveUnderTest.Type] = [Secp256k1UnderTest.self, Ed25519UnderTest.self]

    /// 1, 2, n - 1, n - 2, powers of two around the words' borders, and random numbers; none is zero.
    private static func samples<Tested: CurveUnderTest>(of tested: Tested.Type, count: Int) throws -> [[UInt8]] {
        typealias Number = Scalar<Tested.Group>
        let random = SeededRandom(seed: 0x5ca1a4)
        var samples = [Number(1), Number(2), -Number(1), -Number(2)]
        var power = Number(1)
        for exponent in 1...255 {
            power = power + power
            if [63, 64, 127, 128, 191, 192, 251, 255].contains(exponent) { samples += [power, power - .one, -power] }
        }
        for _ in 0..<count { samples.append(Number(reducing: random.publicBytes(count: 64))) }
        return samples.filter { !$0.isZero }.map(\.encoded)
    }

    @Test("sum, difference, product and negation, public and secret, match the C library", arguments: curves)
    func arithmetic(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Number = Scalar<Tested.Group>
            typealias Secret = SecretScalar<Tested.Group>
            let samples = try Self.samples(of: Tested.self, count: 30)
            for left in samples {
                let a = try Number(canonical: left)
                #expect(a.encoded == left)
                #expect((-a).encoded == Tested.negated(left))
                #expect(Secret(a).negated().revealed() == -a)
                for right in samples {
                    let b = try Number(canonical: right)
                    let (sum, product) = (Tested.sum(left, right), Tested.product(left, right))
                    let difference = Tested.sum(left, Tested.negated(right))
                    #expect((a + b).encoded == sum)
                    #expect((a * b).encoded == product)
                    #expect((a - b).encoded == difference)
                    #expect((Secret(a) + Secret(b)).revealed().encoded == sum)
                    #expect((Secret(a) * Secret(b)).revealed().encoded == product)
                    #expect((Secret(a) - Secret(b)).revealed().encoded == difference)
                    #expect((Secret(a) + b).revealed().encoded == sum)
                    #expect((Secret(a) * b).revealed().encoded == product)
                    #expect((Secret(a) - b).revealed().encoded == difference)
                }
            }
        }
        try run(curve)
    }

    @Test("a number times its inverse is 1, and zero has no inverse", arguments: curves)
    func inverses(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Number = Scalar<Tested.Group>
            for sample in try Self.samples(of: Tested.self, count: 20) {
                let number = try Number(canonical: sample)
                let inverse = try number.inverted()
                #expect(Tested.product(sample, inverse.encoded) == Tested.small(1))
                #expect(try SecretScalar(number).inverted().revealed() == inverse)
            }
            #expect(throws: CurvesError.zero) { try Number.zero.inverted() }
            #expect(throws: CurvesError.zero) { _ = try SecretScalar(Number.zero).inverted() }
        }
        try run(curve)
    }

    @Test("the quotient of two small numbers, times its divisor, is its dividend", arguments: curves)
    func smallQuotients(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Number = Scalar<Tested.Group>
            let random = SeededRandom(seed: 91)
            let factorials = (1...15).map { UInt64((1...$0).reduce(1, *)) }
            let drawn = (0..<200).map { _ in UInt64(random.below(1 << 60)) >> UInt64(random.below(60)) + 1 }
            for divisor in [1, 2, 3, (1 << 62) - 1] + factorials + drawn {
                let dividend = UInt64(random.below(1 << 60))
                let quotient = Number(dividend, dividedBy: divisor)
                #expect(quotient * Number(divisor) == Number(dividend))
                #expect(quotient == Number(dividend) * (try Number(divisor).inverted()))
                // As encoded: below the order.
                #expect(try Number(canonical: quotient.encoded) == quotient)
            }
        }
        try run(curve)
    }

    @Test("adding zero changes nothing, and multiplying by zero gives zero", arguments: curves)
    func zero(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Number = Scalar<Tested.Group>
            let number = try Number(canonical: Tested.small(7))
            #expect(number + .zero == number)
            #expect(number - .zero == number)
            #expect(.zero - number == -number)
            #expect(number * .zero == .zero)
            #expect(number - number == .zero)
            #expect(-Number.zero == .zero)
            let isZero = (SecretScalar(number) - number).isZero
            #expect(isZero)
        }
        try run(curve)
    }

    @Test("only 32-byte numbers below the order are decoded", arguments: curves)
    func canonical(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Number = Scalar<Tested.Group>
            func secret(_ bytes: [UInt8]) throws(CurvesError) -> SecretScalar<Tested.Group> {
                var bytes = bytes
                return try SecretScalar(canonical: SecretBytes(moving: &bytes))
            }
            let last = Tested.negated(Tested.small(1))
            #expect(try Number(canonical: last).encoded == last)
            #expect(try secret(last).revealed().encoded == last)
            for beyond in [Tested.order, [UInt8](repeating: 0xff, count: 32)] {
                #expect(throws: CurvesError.scalarOutOfRange) { try Number(canonical: beyond) }
                #expect(throws: CurvesError.scalarOutOfRange) { _ = try secret(beyond) }
            }
            for count in [0, 31, 33, 64] {
                let bytes = [UInt8](repeating: 0, count: count)
                #expect(throws: CurvesError.wrongSize(expected: 32, got: count)) { try Number(canonical: bytes) }
                #expect(throws: CurvesError.wrongSize(expected: 32, got: count)) { _ = try secret(bytes) }
            }
            #expect(try Number(canonical: [UInt8](repeating: 0, count: 32)).isZero)
        }
        try run(curve)
    }

    @Test("32 to 64 bytes are reduced by the order, equally for public and secret scalars", arguments: curves)
    func reducing(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Number = Scalar<Tested.Group>
            let isBigEndian = Tested.small(1).last == 1
            let random = SeededRandom(seed: 11)
            for count in 32...64 {
                for bytes in [random.publicBytes(count: count), [UInt8](repeating: 0xff, count: count)] {
                    // Horner's rule, a byte at a time, from the most significant.
                    let expected = (isBigEndian ? bytes : bytes.reversed()).reduce(Number.zero) {
                        $0 * Number(256) + Number(UInt64($1))
                    }
                    #expect(Number(reducing: bytes) == expected)
                    var copy = bytes
                    #expect(SecretScalar<Tested.Group>(reducing: SecretBytes(moving: &copy)).revealed() == expected)
                }
            }
            #expect(Number(reducing: Tested.order).isZero)
        }
        try run(curve)
    }

    @Test("a secret equals its encoding and its clone", arguments: curves)
    func encoding(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            let secret = SecretScalar<Tested.Group>(from: SeededRandom(seed: 12))
            let other = SecretScalar<Tested.Group>(from: SeededRandom(seed: 13))
            let encoded = secret.encoded()
            #expect(try SecretScalar<Tested.Group>(canonical: encoded).encoded().matches(encoded))
            let isSame = other.encoded().matches(encoded)
            #expect(!isSame)
            let clone = secret.clone()
            #expect(clone.revealed().encoded == encoded.withUnsafeBytes { Array($0) })
        }
        try run(curve)
    }
}
