internal import Curves
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("Rows of secret scalars")
struct SecretScalarsTests {
    private static let curves: [any CurveUnderTest.Type] = [Secp256k1UnderTest.self, Ed25519UnderTest.self]

    @Test("each operation equals the scalars' own at each position", arguments: curves)
    func operations(_ curve: any CurveUnderTest.Type) throws {
        func run<Tested: CurveUnderTest>(_: Tested.Type) throws {
            typealias Number = Scalar<Tested.Group>
            let random = SeededRandom(seed: 0x5ca1a5)
            func bytes() -> [UInt8] {
                // Full words, so that reduction is needed, and its edges.
                [UInt8](repeating: 0xff, count: 32) + Tested.order + [UInt8](repeating: 0, count: 32)
                    + random.publicBytes(count: 32 * 21)
            }
            func row(_ bytes: [UInt8]) -> SecretScalars<Tested.Group> {
                SecretScalars(reducing: SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) })
            }
            func numbers(_ bytes: [UInt8]) -> [Number] {
                stride(from: 0, to: bytes.count, by: 32).map { Number(reducing: bytes[$0..<($0 + 32)]) }
            }
            let (a, b) = (bytes(), bytes())
            let (left, right) = (numbers(a), numbers(b))
            let scalar = Number(reducing: random.publicBytes(count: 64))
            let bits = random.publicBytes(count: 3)
            let mask = SecretBytes(count: 3) { $0.copyBytes(from: bits) }
            let isSet = (0..<24).map { bits[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
            let pairs = Array(zip(left, right))

            #expect(row(a).revealed() == left)
            #expect((row(a) + row(b)).revealed() == pairs.map { $0 + $1 })
            #expect((row(a) - row(b)).revealed() == pairs.map { $0 - $1 })
            #expect((row(a) + SecretScalar(scalar)).revealed() == left.map { $0 + scalar })
            #expect((row(a) * scalar).revealed() == left.map { $0 * scalar })
            #expect(
                row(a).adding(right, where: mask).revealed()
                    == zip(pairs, isSet).map { $1 ? $0.0 + $0.1 : $0.0 })
            #expect(
                row(a).subtracting(scalar, where: mask).revealed() == zip(left, isSet).map { $1 ? $0 - scalar : $0 })
            #expect(row(a).sum(weights: right).revealed() == pairs.map { $0 * $1 }.reduce(.zero, +))
            #expect(
                Number.sum(left, where: mask).revealed() == zip(left, isSet).map { $1 ? $0 : .zero }.reduce(.zero, +))
            let encoded = row(a).encoded().withUnsafeBytes { Array($0) }
            #expect(encoded == left.flatMap(\.encoded))

            let strided = SecretScalars<Tested.Group>(
                reducing: SecretBytes(count: a.count) { $0.copyBytes(from: a) }, first: 1, step: 3)
            #expect(strided.revealed() == stride(from: 1, to: left.count, by: 3).map { left[$0] })
        }
        try run(curve)
    }
}
