import Secrets
import TestSupport
import Testing

@testable import Curves

@Suite("secp256k1: points by both coordinates")
struct CoordinatesTests {
    private func point(_ bytes: [UInt8]) throws(CurvesError) -> Secp256k1.Point {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(CurvesError) in try Secp256k1.Point(coordinates: bytes) }
        }
        return try result.get()
    }

    private func coordinates(_ point: Secp256k1.Point) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64)
        bytes.withUnsafeMutableBytes { point.write(coordinates: $0) }
        return bytes
    }

    @Test("the generator's coordinates are those of SEC 2")
    func generator() {
        #expect(
            hex(coordinates(.generator)) == "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
                + "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")
    }

    @Test("a point is decoded from its own encoding")
    func roundTrip() throws {
        let random = SeededRandom(seed: 1)
        for _ in 0..<50 {
            let original = Secp256k1.Point(from: random)
            #expect(try point(coordinates(original)) == original)
        }
    }

    @Test("a wrong size, a point off the curve, and a coordinate not below the prime are refused")
    func refusals() {
        let good = coordinates(.generator)
        for size in [0, 33, 63, 65] {
            #expect(throws: CurvesError.wrongSize(expected: 64, got: size)) {
                try point([UInt8](repeating: 4, count: size))
            }
        }
        #expect(throws: CurvesError.invalidPoint) { try point([UInt8](repeating: 0, count: 64)) }
        for place in [0, 31, 32, 63] {
            #expect(throws: CurvesError.invalidPoint) {
                var bad = good
                bad[place] ^= 1
                return try point(bad)
            }
        }
        // The point with x = 1, and the same with x = 1 + the field's prime.
        let y = "4218f20ae6c646b363db68605822fb14264ca8d2587fdd6fbc750d587e76a7ee"
        #expect(throws: Never.self) { try point(hex("00".repeated(31) + "01" + y)) }
        #expect(throws: CurvesError.invalidPoint) { try point(hex("ff".repeated(27) + "fefffffc30" + y)) }
    }

    @Test("a hasher with a guarded secret prefix gives the same hash")
    func guarded() {
        var hasher = SHA256()
        hasher.update(SecretBytes(count: 40) { $0.copyBytes(from: [UInt8](repeating: 5, count: 40)) })
        let guarded = SHA256.Guarded(moving: &hasher)
        for last in [[1], [UInt8](repeating: 2, count: 100)] as [[UInt8]] {
            var hash = [UInt8](repeating: 0, count: 32)
            last.withUnsafeBytes { guarded.finalize(with: $0, into: &hash) }
            #expect(hash == SHA256.hash([UInt8](repeating: 5, count: 40) + last))
        }
        // The buffer it was moved from is wiped.
        #expect(hasher.finalize() == SHA256.hash([]))
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
