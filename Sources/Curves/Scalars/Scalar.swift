internal import Secrets

/// A public number modulo the group order: a challenge, a signature share, a tweak.
///
/// - Warning: a secret belongs in a ``SecretScalar``. This type is copied, compared and printed like any value.
public struct Scalar<Group: Curve>: Hashable, Sendable {
    /// The number, below the order.
    let words: Words

    init(unchecked words: Words) {
        self.words = words
    }

    /// The number 0.
    public static var zero: Scalar { Scalar(unchecked: .zero) }
    /// The number 1.
    public static var one: Scalar { Scalar(unchecked: .one) }

    /// Creates the scalar of a small number.
    public init(_ small: UInt64) {
        words = Words(small, 0, 0, 0)
    }

    /// Decodes 32 bytes in the curve's byte order: big-endian for secp256k1, little-endian for edwards25519.
    ///
    /// - Throws: ``CurvesError/wrongSize(expected:got:)`` or ``CurvesError/scalarOutOfRange``. Zero is accepted.
    public init(canonical bytes: some Collection<UInt8>) throws(CurvesError) {
        guard bytes.count == scalarSize else { throw .wrongSize(expected: scalarSize, got: bytes.count) }
        words = Array(bytes).withUnsafeBytes { Words(loading: $0, Group.order.byteOrder) }
        guard Group.order.contains(words) else { throw .scalarOutOfRange }
    }

    /// Decodes 32 to 64 bytes in the curve's byte order, modulo the group order.
    ///
    /// - Precondition: there are 32 to 64 bytes.
    public init(reducing bytes: some Collection<UInt8>) {
        words = Array(bytes).withUnsafeBytes { Words(reducing: $0, modulo: Group.order) }
    }

    /// The number in 32 bytes, in the curve's byte order.
    public var encoded: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: scalarSize) { buffer, count in
            count = scalarSize
            words.store(
                to: UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: scalarSize), Group.order.byteOrder)
        }
    }

    /// Whether the number is 0.
    public var isZero: Bool { words.isZero }

    public static func + (left: Scalar, right: Scalar) -> Scalar {
        Scalar(unchecked: Group.order.add(left.words, right.words))
    }

    public static func - (left: Scalar, right: Scalar) -> Scalar {
        Scalar(unchecked: Group.order.subtract(left.words, right.words))
    }

    public static func * (left: Scalar, right: Scalar) -> Scalar {
        Scalar(unchecked: Group.order.multiply(left.words, right.words))
    }

    /// Returns the negative of a number: their sum is 0.
    public static prefix func - (scalar: Scalar) -> Scalar {
        Scalar(unchecked: Group.order.negate(scalar.words))
    }

    /// Returns the inverse of the number: their product is 1.
    ///
    /// - Throws: ``CurvesError/zero``.
    public func inverted() throws(CurvesError) -> Scalar {
        guard !isZero else { throw .zero }
        return Scalar(unchecked: Group.order.invert(words))
    }

    /// Divides two small public numbers, in variable time.
    ///
    /// - Precondition: 1 <= divisor < 2⁶².
    package init(_ dividend: UInt64, dividedBy divisor: UInt64) {
        self = Scalar(dividend) * Scalar(unchecked: Group.order.invertVariableTime(small: divisor))
    }
}

/// The size of a scalar in bytes, for both curves.
let scalarSize = 32

extension Words {
    /// Decodes 32 to 64 bytes, modulo the order.
    init(reducing bytes: UnsafeRawBufferPointer, modulo order: GroupOrder) {
        precondition((32...64).contains(bytes.count), "a wide scalar has 32 to 64 bytes")
        let low: UnsafeRawBufferPointer
        let high: UnsafeRawBufferPointer
        switch order.byteOrder {
        case .littleEndian: (low, high) = (.init(rebasing: bytes.prefix(32)), .init(rebasing: bytes.dropFirst(32)))
        case .bigEndian: (low, high) = (.init(rebasing: bytes.suffix(32)), .init(rebasing: bytes.dropLast(32)))
        }
        self = withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { padded in
            padded.initializeMemory(as: UInt8.self, repeating: 0)
            let offset = order.byteOrder == .bigEndian ? 32 - high.count : 0
            UnsafeMutableRawBufferPointer(rebasing: padded[offset...]).copyMemory(from: high)
            defer { wipe(padded) }
            return order.reduce(
                high: Words(loading: UnsafeRawBufferPointer(padded), order.byteOrder),
                low: Words(loading: low, order.byteOrder))
        }
    }
}
