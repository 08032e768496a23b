#if os(Linux)
    internal import Curves
    internal import Secrets
    internal import TestSupport
    internal import Testing

    /// The process searches all of its own memory, except the stack, for numbers that it computed with.
    @Suite("Scalars in memory", .serialized)
    struct ScalarMemoryTests {
        private typealias Number = Scalar<Secp256k1>
        private typealias Secret = SecretScalar<Secp256k1>

        /// The factor with which Montgomery's method writes the number itself.
        private static func inverseOfR() throws -> Number {
            try Number(reducing: [1] + [UInt8](repeating: 0, count: 32)).inverted()
        }

        @Test("control: an array that was freed without being wiped is found")
        func control() {
            let planted = Needle()
            #expect(planted.traces() == 0)
            for _ in 0..<3 { _ = planted.secret().withUnsafeBytes { Array($0) } }
            #expect(planted.traces(outside: OwnMemory.ownStack()) > 0)
        }

        @Test("inverting leaves neither the number nor its powers in freed memory")
        func inverting() throws {
            let factor = try Self.inverseOfR()
            let planted = Needle()
            // The first power that is computed is the planted number; the square of the second one, the number again.
            let first = try Secret(canonical: planted.secret()) * factor
            #expect(planted.traces(outside: OwnMemory.ownStack()) == 0, "nothing is left before")
            for _ in 0..<3 { _ = try first.inverted() }
            #expect(planted.traces(outside: OwnMemory.ownStack()) == 0)
        }

        @Test("sums, products, rows and encodings leave nothing in freed memory")
        func arithmetic() throws {
            let planted = Needle()
            do {
                let secret = try Secret(canonical: planted.secret())
                let other = Secret(from: SystemRandom())
                let sum = secret + other
                let product = sum * secret - secret * Number(3)
                let isZero = (product.negated() + product).isZero
                #expect(isZero)
                let same = sum - other
                let isSame = same.encoded().matches(secret.encoded())
                #expect(isSame)
                #expect(same.timesGenerator() == secret.timesGenerator())
                let row = SecretScalars<Secp256k1>(reducing: secret.encoded())
                let doubled = (row + row).sum(weights: [try Number(2).inverted()])
                let isDoubled = doubled.encoded().matches(secret.encoded())
                #expect(isDoubled)
            }
            #expect(planted.traces(outside: OwnMemory.ownStack()) == 0)
        }
    }
#endif
