package import Secrets

/// A list of secret numbers modulo the group order, in one guarded region: for protocols that compute with hundreds at
/// once.
///
/// All operations take the same time for all values. Results are not made read-only, as with ``SecretScalar``.
package struct SecretScalars<Group: Curve>: ~Copyable, Sendable {
    /// The numbers in order, each as four words in the machine's byte order.
    private let memory: SecretBytes

    /// The number of scalars.
    package let count: Int

    private init(count: Int, _ number: (Int) -> Words) {
        self.count = count
        memory = SecretBytes(fleeting: count * scalarSize) { memory in
            for position in 0..<count {
                memory.storeBytes(of: number(position), toByteOffset: position * scalarSize, as: Words.self)
            }
        }
    }

    /// Decodes numbers of 32 bytes in the curve's byte order, modulo the group order: every `step`-th, beginning with
    /// `first`.
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
    /// Adds the numbers of two lists at each position.
    package static func + (left: borrowing SecretScalars, right: borrowing SecretScalars) -> SecretScalars {
        precondition(left.count == right.count, "rows of different lengths")
        let order = Group.order
        let count = left.count
        return left.withNumbers { left in
            right.withNumbers { right in SecretScalars(count: count) { order.add(left($0), right($0)) } }
        }
    }

    /// Subtracts the numbers of two lists at each position.
    package static func - (left: borrowing SecretScalars, right: borrowing SecretScalars) -> SecretScalars {
        precondition(left.count == right.count, "rows of different lengths")
        let order = Group.order
        let count = left.count
        return left.withNumbers { left in
            right.withNumbers { right in SecretScalars(count: count) { order.subtract(left($0), right($0)) } }
        }
    }

    /// Adds the same number to each number.
    package static func + (left: borrowing SecretScalars, right: borrowing SecretScalar<Group>) -> SecretScalars {
        let order = Group.order
        let count = left.count
        let right = right.words
        return left.withNumbers { left in SecretScalars(count: count) { order.add(left($0), right) } }
    }

    /// Multiplies each number by the same public one.
    package static func * (left: borrowing SecretScalars, right: Scalar<Group>) -> SecretScalars {
        let order = Group.order
        let count = left.count
        let factor = order.montgomeryProduct(right.words, order.rSquared)
        return left.withNumbers { left in
            SecretScalars(count: count) { order.montgomeryProduct(left($0), factor) }
        }
    }

    /// Adds the public term of each position whose bit is 1. The time does not depend on the bits.
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

    /// Subtracts the same public term at each position whose bit is 1.
    package borrowing func subtracting(_ term: Scalar<Group>, where bits: borrowing SecretBytes) -> SecretScalars {
        let negated = Group.order.negate(term.words)
        return adding(Scalar.list(count: count) { _ in negated }, where: bits)
    }

    /// Returns the sum of all numbers, each multiplied by the public weight of its position.
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
                // Each product lacks a factor R. One more multiplication restores it in the sum.
                return SecretScalar(order.montgomeryProduct(sum, order.rSquared))
            }
        }
    }

    /// Returns the numbers in order, 32 bytes each, in the curve's byte order.
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

    /// Returns the numbers as public. For protocols in which they hide the secrets that they were computed from.
    package consuming func revealed() -> [Scalar<Group>] {
        let count = count
        return withNumbers { numbers in Scalar.list(count: count, numbers) }
    }
}

extension Scalar {
    /// Returns the sum of the weights at the positions whose bit is 1. The time does not depend on the bits.
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
