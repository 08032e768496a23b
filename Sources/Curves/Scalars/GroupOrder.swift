internal import Secrets

/// The order n of a group, and arithmetic modulo it in constant time, by Montgomery's method on four 64-bit words (P.
/// L. Montgomery, "Modular multiplication without trial division", 1985), with R = 2²⁵⁶.
///
/// libsecp256k1 has neither a constant-time multiplication nor an inverse; this type has both, for both curves.
/// Operands and results are below n. No operation branches on them, or uses them as an index into memory.
public struct GroupOrder: Sendable {
    /// The order n: odd, at least 2²⁵².
    let modulus: Words
    /// The constant -n⁻¹ mod 2⁶⁴.
    private let negatedInverse: UInt64
    /// The constant R² mod n.
    let rSquared: Words
    /// The byte order in which the curve's standard writes a scalar.
    let byteOrder: ByteOrder

    init(modulus: Words, negatedInverse: UInt64, rSquared: Words, byteOrder: ByteOrder) {
        self.modulus = modulus
        self.negatedInverse = negatedInverse
        self.rSquared = rSquared
        self.byteOrder = byteOrder
    }

    /// Returns a + b mod n.
    func add(_ left: Words, _ right: Words) -> Words {
        let (sum, carry) = left.adding(right)
        return reduceOnce(sum, overflow: carry)
    }

    /// Returns a - b mod n.
    func subtract(_ left: Words, _ right: Words) -> Words {
        let (difference, borrow) = left.subtracting(right)
        return difference.adding(modulus.selected(mask(of: borrow), else: .zero)).sum
    }

    /// Returns -a mod n.
    func negate(_ value: Words) -> Words { subtract(.zero, value) }

    /// Returns a·b mod n.
    func multiply(_ left: Words, _ right: Words) -> Words {
        montgomeryProduct(montgomeryProduct(left, right), rSquared)
    }

    /// Returns a⁻¹ mod n, as aⁿ⁻² (Fermat), and zero for zero. The exponent is public, and all branches depend on its
    /// bits only.
    func invert(_ value: Words) -> Words {
        // On the stack, and wiped: a growing array would leave earlier powers in freed memory.
        withUnsafeTemporaryAllocation(of: Words.self, capacity: 16) { powers in
            powers.initialize(repeating: montgomeryProduct(.one, rSquared))
            defer { wipe(UnsafeMutableRawBufferPointer(powers)) }
            powers[1] = montgomeryProduct(value, rSquared)
            for power in 2..<16 { powers[power] = montgomeryProduct(powers[power - 1], powers[1]) }

            let exponent = modulus.subtracting(Words(2, 0, 0, 0)).difference
            var result = powers[0]
            for word in [exponent.w3, exponent.w2, exponent.w1, exponent.w0] {
                for shift in stride(from: 60, through: 0, by: -4) {
                    for _ in 0..<4 { result = montgomeryProduct(result, result) }
                    result = montgomeryProduct(result, powers[Int(word >> UInt64(shift) & 15)])
                }
            }
            return montgomeryProduct(result, .one)
        }
    }

    /// Returns 1/d mod n for a small public number d: (k·n + 1)/d, with k = -1/n mod d.
    ///
    /// - Precondition: 1 <= d < 2⁶².
    func invertVariableTime(small divisor: UInt64) -> Words {
        precondition(divisor >= 1 && divisor < 1 << 62, "no small number")
        let words = [modulus.w3, modulus.w2, modulus.w1, modulus.w0]
        let residue = words.reduce(0) { divisor.dividingFullWidth(($0, $1)).remainder }
        let factor = (divisor - Self.inverse(of: residue, modulo: divisor)) % divisor

        // The product k·n + 1, which d divides, in five words.
        var product: [UInt64] = []
        var carry: UInt64 = 1
        for word in words.reversed() {
            let (high, low) = factor.multipliedFullWidth(by: word)
            let (sum, overflow) = low.addingReportingOverflow(carry)
            product.append(sum)
            carry = high + (overflow ? 1 : 0)
        }
        product.append(carry)

        var quotient: [UInt64] = []
        var remainder: UInt64 = 0
        for word in product.reversed() {
            let next = divisor.dividingFullWidth((remainder, word))
            quotient.append(next.quotient)
            remainder = next.remainder
        }
        return Words(quotient[4], quotient[3], quotient[2], quotient[1])
    }

    /// Returns 1/a mod m by Euclid's algorithm, for a < m without a common factor; zero modulo 1.
    private static func inverse(of value: UInt64, modulo modulus: UInt64) -> UInt64 {
        var (left, right) = (Int64(modulus), Int64(value))
        var (leftFactor, rightFactor): (Int64, Int64) = (0, 1)
        while right != 0 {
            let quotient = left / right
            (left, right) = (right, left - quotient * right)
            (leftFactor, rightFactor) = (rightFactor, leftFactor - quotient * rightFactor)
        }
        return UInt64(leftFactor < 0 ? leftFactor + Int64(modulus) : leftFactor)
    }

    /// Returns any number of 256 bits mod n.
    func reduce(_ value: Words) -> Words { montgomeryProduct(montgomeryProduct(value, rSquared), .one) }

    /// Returns high·2²⁵⁶ + low mod n, for a number of 512 bits.
    func reduce(high: Words, low: Words) -> Words { add(montgomeryProduct(high, rSquared), reduce(low)) }

    /// Returns whether the number is below n.
    func contains(_ value: Words) -> Bool { value.subtracting(modulus).borrow == 1 }

    /// Returns a·b·R⁻¹ mod n. One of the two is below n, the other any number of 256 bits.
    func montgomeryProduct(_ left: Words, _ right: Words) -> Words {
        // Coarsely integrated operand scanning: per word of `right`, add its product, then a multiple of n that makes
        // the lowest word zero, and drop that word. The sum stays below 2·2²⁵⁶.
        var t = Words.zero
        var overflow: UInt64 = 0
        scan(left, right.w0, &t, &overflow)
        scan(left, right.w1, &t, &overflow)
        scan(left, right.w2, &t, &overflow)
        scan(left, right.w3, &t, &overflow)
        return reduceOnce(t, overflow: overflow)
    }

    @inline(__always)
    private func scan(_ left: Words, _ word: UInt64, _ t: inout Words, _ overflow: inout UInt64) {
        var carry: UInt64 = 0
        let t0 = multiplyAdd(t.w0, left.w0, word, &carry)
        let t1 = multiplyAdd(t.w1, left.w1, word, &carry)
        let t2 = multiplyAdd(t.w2, left.w2, word, &carry)
        let t3 = multiplyAdd(t.w3, left.w3, word, &carry)
        var top: UInt64 = 0
        let t4 = Curves.add(overflow, carry, &top)

        let factor = t0 &* negatedInverse
        carry = 0
        _ = multiplyAdd(t0, factor, modulus.w0, &carry)
        t.w0 = multiplyAdd(t1, factor, modulus.w1, &carry)
        t.w1 = multiplyAdd(t2, factor, modulus.w2, &carry)
        t.w2 = multiplyAdd(t3, factor, modulus.w3, &carry)
        var last: UInt64 = 0
        t.w3 = Curves.add(t4, carry, &last)
        overflow = top &+ last
    }

    /// Returns a number below 2n mod n; `overflow` is bit 256 of the number.
    @inline(__always)
    private func reduceOnce(_ value: Words, overflow: UInt64) -> Words {
        let (difference, borrow) = value.subtracting(modulus)
        // The difference is correct unless it is negative and the overflow bit is zero.
        return value.selected(mask(of: borrow & (overflow ^ 1)), else: difference)
    }
}
