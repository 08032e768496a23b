public import Secrets

/// A secret number modulo the group order, in 32 bytes of guarded memory.
///
/// What comes out of an operation is not made read-only, as other `SecretBytes` are: most of it lives for an instant.
///
/// All operations take the same time for all values, but for the multiplications of points, which show zero.
///
/// - Warning: while it is computed with, a number passes through registers and the stack, which are not wiped.
public struct SecretScalar<Group: Curve>: ~Copyable, Sendable {
    /// The canonical encoding: 32 bytes in the curve's order.
    let bytes: SecretBytes

    init(_ words: Words) {
        bytes = SecretBytes(fleeting: scalarSize) { words.store(to: $0, Group.order.byteOrder) }
    }

    var words: Words { bytes.withUnsafeBytes { Words(loading: $0, Group.order.byteOrder) } }

    /// A number that is uniform among 1 to n - 1.
    public init(from random: some RandomSource) {
        // 64 bytes, reduced: no value is likelier than another by more than 2⁻²⁵⁶, and nothing is tried twice but for zero.
        var words = Words.zero
        repeat {
            words = SecretBytes(fleeting: 64) { random.fill($0) }.withUnsafeBytes {
                Words(reducing: $0, modulo: Group.order)
            }
        } while words.isZero
        self.init(words)
    }

    /// Reads 32 bytes in the curve's order: big-endian for secp256k1, little-endian for edwards25519.
    ///
    /// - Throws: ``CurvesError/wrongSize(expected:got:)`` or ``CurvesError/scalarOutOfRange``. Zero is accepted.
    public init(canonical bytes: borrowing SecretBytes) throws(CurvesError) {
        guard bytes.count == scalarSize else { throw .wrongSize(expected: scalarSize, got: bytes.count) }
        guard Group.order.contains(bytes.withUnsafeBytes { Words(loading: $0, Group.order.byteOrder) }) else {
            throw .scalarOutOfRange
        }
        self.bytes = SecretBytes(fleeting: scalarSize) { memory in
            bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
        }
    }

    /// Reads 32 to 64 bytes in the curve's order, modulo the group order.
    ///
    /// - Precondition: that many bytes.
    public init(reducing bytes: borrowing SecretBytes) {
        self.init(bytes.withUnsafeBytes { Words(reducing: $0, modulo: Group.order) })
    }

    /// A number that is public, where a secret is asked for.
    public init(_ value: Scalar<Group>) {
        self.init(value.words)
    }

    /// The number in 32 bytes, in the curve's order.
    public borrowing func encoded() -> SecretBytes { bytes.clone() }

    /// Writes the number in 32 bytes, in the curve's order, to where its owner keeps secrets.
    package borrowing func write(to memory: UnsafeMutableRawBufferPointer) {
        bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
    }

    /// A second guarded copy.
    public borrowing func clone() -> SecretScalar { SecretScalar(words) }

    /// Whether the number is zero, which no secret of a sound protocol ever is.
    public var isZero: Bool { words.isZero }

    /// Gives the number up as public: because a protocol has hidden in it what must not be seen.
    public consuming func revealed() -> Scalar<Group> { Scalar(unchecked: words) }
}

extension SecretScalar {
    public static func + (left: borrowing SecretScalar, right: borrowing SecretScalar) -> SecretScalar {
        SecretScalar(Group.order.add(left.words, right.words))
    }

    public static func - (left: borrowing SecretScalar, right: borrowing SecretScalar) -> SecretScalar {
        SecretScalar(Group.order.subtract(left.words, right.words))
    }

    public static func * (left: borrowing SecretScalar, right: borrowing SecretScalar) -> SecretScalar {
        SecretScalar(Group.order.multiply(left.words, right.words))
    }

    public static func + (left: borrowing SecretScalar, right: Scalar<Group>) -> SecretScalar {
        SecretScalar(Group.order.add(left.words, right.words))
    }

    public static func - (left: borrowing SecretScalar, right: Scalar<Group>) -> SecretScalar {
        SecretScalar(Group.order.subtract(left.words, right.words))
    }

    public static func * (left: borrowing SecretScalar, right: Scalar<Group>) -> SecretScalar {
        SecretScalar(Group.order.multiply(left.words, right.words))
    }

    /// The number that, added to this one, gives 0.
    public borrowing func negated() -> SecretScalar { SecretScalar(Group.order.negate(words)) }

    /// The number that times this one is 1.
    ///
    /// - Throws: ``CurvesError/zero``.
    public borrowing func inverted() throws(CurvesError) -> SecretScalar {
        guard !isZero else { throw .zero }
        return SecretScalar(Group.order.invert(words))
    }
}

extension SecretScalar {
    /// The public point of this secret: the generator times it.
    public borrowing func timesGenerator() -> Group.Point { Group.generator(times: self) }

    /// A point times this secret, as a point that may be seen.
    public borrowing func times(_ point: Group.Point) -> Group.Point {
        guard !isZero, !point.isIdentity else { return .identity }
        let encoded = Group.encodedProduct(of: self, and: point).withUnsafeBytes { Array($0) }
        do {
            return try Group.Point(encoded: encoded)
        } catch {
            preconditionFailure("the product of a point and a scalar is no point: \(error)")
        }
    }

    /// A point times this secret, encoded, in guarded memory: what a Diffie-Hellman exchange agrees on.
    ///
    /// Its bytes are not uniform: hash them.
    ///
    /// - Throws: ``CurvesError/zero`` if the scalar is zero or the point the identity.
    public borrowing func sharedSecret(with point: Group.Point) throws(CurvesError) -> SecretBytes {
        guard !isZero, !point.isIdentity else { throw .zero }
        return Group.encodedProduct(of: self, and: point)
    }
}
