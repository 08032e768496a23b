package import Secrets

/// A row of secret numbers modulo the group order, in one guarded region: for protocols that compute with hundreds at once.
///
/// All operations take the same time for all values. Results are not made read-only, as with ``SecretScalar``.
package struct SecretScalars<Group: Curve>: ~Copyable, Sendable {
    /// The numbers one after the other, each as four words in the machine's own order.
    private let memory: SecretBytes

    /// How many there are.
    package let count: Int

    private init(count: Int, _ number: (Int) -> Words) {
        self.count = count
        memory = SecretBytes(fleeting: count * scalarSize) { memory in
            for position in 0..<count {
                memory.storeBytes(of: number(position), toByteOffset: position * scalarSize, as: Words.self)
            }
        }
    }

    /// Reads numbers of 32 bytes each, in the curve's order, modulo the group order: every `step`-th, beginning with `first`.
    ///
    /// - Precondition: the size is a multiple of 32·`step`.
    package init(reducing bytes: borrowing SecretBytes, first: Int = 0, step: Int = 1) {
        precondition(bytes.count.isMultiple(of: scalarSize * step) && first < step, "no whole number of scalars")
        let order = Group.order
        self = bytes.withUnsafeBytes { bytes in
            SecretScalars(count: bytes.count / (scalarSize * step)) { position in
                let start = (position * step + first) * scalarSize
                return order.reduce(
                    Words(
                        loading: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + scalarSize)]), order.byteOrder)
                )
            }
        }
    }

    /// Calls `body` with a function that reads the number at a position.
    private borrowing func withNumbers<Result: ~Copyable>(_ body: ((Int) -> Words) -> Result) -> Result {
        memory.withUnsafeBytes { memory in
            body { memory.loadUnaligned(fromByteOffset: $0 * scalarSize, as: Words.self) }
        }
    }
}

extension SecretScalars {
    /// Each number plus the other row's at the same place.
    package static func + (left: borrowing SecretScalars, right: borrowing SecretScalars) -> SecretScalars {
        precondition(left.count == right.count, "rows of different lengths")
        let order = Group.order
        let count = left.count
        return left.withNumbers { left in
            right.withNumbers { right in SecretScalars(count: count) { order.add(left($0), right($0)) } }
        }
    }

    /// Each number minus the other row's at the same place.
    package static func - (left: borrowing SecretScalars, right: borrowing SecretScalars) -> SecretScalars {
        precondition(left.count == right.count, "rows of different lengths")
        let order = Group.order
        let count = left.count
        return left.withNumbers { left in
            right.withNumbers { right in SecretScalars(count: count) { order.subtract(left($0), right($0)) } }
        }
    }

    /// Each number plus the same one.
    package static func + (left: borrowing SecretScalars, right: borrowing SecretScalar<Group>) -> SecretScalars {
        let order = Group.order
        let count = left.count
        let right = right.words
        return left.withNumbers { left in SecretScalars(count: count) { order.add(left($0), right) } }
    }

    /// Each number times the same public one.
    package static func * (left: borrowing SecretScalars, right: Scalar<Group>) -> SecretScalars {
        let order = Group.order
        let count = left.count
        let factor = order.montgomeryProduct(right.words, order.rSquared)
        return left.withNumbers { left in
            SecretScalars(count: count) { order.montgomeryProduct(left($0), factor) }
        }
    }

    /// Each number plus the public one at the same place where the bit of that place is 1. Which those are, takes no other time.
    ///
    /// - Parameter bits: bit i is bit i mod 8, lowest first, of byte i / 8.
    package borrowing func adding(_ terms: [Scalar<Group>], where bits: borrowing SecretBytes) -> SecretScalars {
        precondition(count == terms.count && bits.count * 8 >= count, "rows of different lengths")
        let order = Group.order
        let count = count
        return withNumbers { numbers in
            bits.withUnsafeBytes { bits in
                Scalar.withWords(of: terms) { terms in
                    SecretScalars(count: count) { position in
                        let bit = UInt64(bits[position / 8] >> UInt8(position % 8)) & 1
                        return order.add(numbers(position), terms(position).selected(mask(of: bit), else: .zero))
                    }
                }
            }
        }
    }

    /// Each number minus the same public one where the bit of the place is 1.
    package borrowing func subtracting(_ term: Scalar<Group>, where bits: borrowing SecretBytes) -> SecretScalars {
        let negated = Group.order.negate(term.words)
        return adding(Scalar.list(count: count) { _ in negated }, where: bits)
    }

    /// The sum of all numbers, each times the public weight at the same place.
    package borrowing func sum(weights: [Scalar<Group>]) -> SecretScalar<Group> {
        precondition(count == weights.count, "rows of different lengths")
        let order = Group.order
        let count = count
        return withNumbers { numbers in
            Scalar.withWords(of: weights) { weights in
                var sum = Words.zero
                for position in 0..<count {
                    sum = order.add(sum, order.montgomeryProduct(numbers(position), weights(position)))
                }
                // Each product lacks a factor R, which this puts back into their sum.
                return SecretScalar(order.montgomeryProduct(sum, order.rSquared))
            }
        }
    }

    /// The numbers one after the other, 32 bytes each, in the curve's order.
    package borrowing func encoded() -> SecretBytes {
        let byteOrder = Group.order.byteOrder
        let count = count
        return withNumbers { numbers in
            SecretBytes(fleeting: count * scalarSize) { memory in
                for position in 0..<count {
                    let start = position * scalarSize
                    numbers(position).store(
                        to: UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + scalarSize)]), byteOrder)
                }
            }
        }
    }

    /// Gives the numbers up as public: because a protocol has hidden in them what must not be seen.
    package consuming func revealed() -> [Scalar<Group>] {
        let count = count
        return withNumbers { numbers in Scalar.list(count: count, numbers) }
    }
}

extension Scalar {
    /// The sum of the weights at the places where the bit is 1. Which those are, takes no other time.
    package static func sum(_ weights: [Scalar], where bits: borrowing SecretBytes) -> SecretScalar<Group> {
        precondition(bits.count * 8 >= weights.count, "fewer bits than weights")
        let order = Group.order
        let count = weights.count
        return bits.withUnsafeBytes { bits in
            withWords(of: weights) { weights in
                var sum = Words.zero
                for position in 0..<count {
                    let bit = UInt64(bits[position / 8] >> UInt8(position % 8)) & 1
                    sum = order.add(sum, weights(position).selected(mask(of: bit), else: .zero))
                }
                return SecretScalar(sum)
            }
        }
    }
}
