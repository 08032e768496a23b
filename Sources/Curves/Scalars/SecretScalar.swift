public import Secrets

/// A secret number modulo the group order, in 32 bytes of guarded memory.
///
/// The result of an operation is not made read-only, as other `SecretBytes` are: most results live for a moment.
///
/// All operations take the same time for all values, except that the multiplications of points reveal zero.
///
/// - Warning: during an operation the number passes through registers and the stack, which are not wiped.
public struct SecretScalar<Group: Curve>: ~Copyable, Sendable {
    /// The canonical encoding: 32 bytes in the curve's byte order.
    let bytes: SecretBytes

    init(_ words: Words) {
        bytes = SecretBytes(fleeting: scalarSize) { words.store(to: $0, Group.order.byteOrder) }
    }

    var words: Words { bytes.withUnsafeBytes { Words(loading: $0, Group.order.byteOrder) } }

    /// Draws a number that is uniform among 1 to n - 1.
    public init(from random: some RandomSource) {
        // 64 bytes are reduced: no value is more likely than another by more than 2⁻²⁵⁶, and only zero is drawn again.
        var words = Words.zero
        repeat {
            words = SecretBytes(fleeting: 64) { random.fill($0) }.withUnsafeBytes {
                Words(reducing: $0, modulo: Group.order)
            }
        } while words.isZero
        self.init(words)
    }

    /// Decodes 32 bytes in the curve's byte order: big-endian for secp256k1, little-endian for edwards25519.
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

    /// Decodes 32 to 64 bytes in the curve's byte order, modulo the group order.
    ///
    /// - Precondition: there are 32 to 64 bytes.
    public init(reducing bytes: borrowing SecretBytes) {
        self.init(bytes.withUnsafeBytes { Words(reducing: $0, modulo: Group.order) })
    }

    /// Creates a secret scalar of a public number, for a function that takes a secret.
    public init(_ value: Scalar<Group>) {
        self.init(value.words)
    }

    /// Returns the number in 32 bytes, in the curve's byte order.
    public borrowing func encoded() -> SecretBytes { bytes.clone() }

    /// Writes the number in 32 bytes, in the curve's byte order, to memory in which the caller keeps secrets.
    package borrowing func write(to memory: UnsafeMutableRawBufferPointer) {
        bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
    }

    /// Returns a second guarded copy.
    public borrowing func clone() -> SecretScalar { SecretScalar(words) }

    /// Whether the number is zero, which never happens to a secret of a sound protocol.
    public var isZero: Bool { words.isZero }

    /// Returns the number as public. For protocols in which the number hides the secrets that it was computed from.
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

    /// Returns the negative of the number: their sum is 0.
    public borrowing func negated() -> SecretScalar { SecretScalar(Group.order.negate(words)) }

    /// Returns the inverse of the number: their product is 1.
    ///
    /// - Throws: ``CurvesError/zero``.
    public borrowing func inverted() throws(CurvesError) -> SecretScalar {
        guard !isZero else { throw .zero }
        return SecretScalar(Group.order.invert(words))
    }
}

extension SecretScalar {
    /// Returns the public point of this secret: the secret times the generator.
    public borrowing func timesGenerator() -> Group.Point { Group.generator(times: self) }

    /// Multiplies a point by this secret. The product is public.
    public borrowing func times(_ point: Group.Point) -> Group.Point {
        guard !isZero, !point.isIdentity else { return .identity }
        let encoded = Group.encodedProduct(of: self, and: point).withUnsafeBytes { Array($0) }
        do {
            return try Group.Point(encoded: encoded)
        } catch {
            preconditionFailure("the product of a point and a scalar is not a point: \(error)")
        }
    }

    /// Multiplies a point by this secret, and returns the encoded product in guarded memory: the shared secret of a
    /// Diffie-Hellman exchange.
    ///
    /// Its bytes are not uniform: hash them.
    ///
    /// - Throws: ``CurvesError/zero`` if the scalar is zero or the point is the identity.
    public borrowing func sharedSecret(with point: Group.Point) throws(CurvesError) -> SecretBytes {
        guard !isZero, !point.isIdentity else { throw .zero }
        return Group.encodedProduct(of: self, and: point)
    }
}
