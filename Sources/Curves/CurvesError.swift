/// An error in an encoding of a scalar, a point or a key.
public enum CurvesError: Error, Equatable, Sendable {
    /// The input does not have the size of this encoding.
    case wrongSize(expected: Int, got: Int)
    /// The scalar is not below the group order.
    case scalarOutOfRange
    /// The point is not on the curve, not in its one standard form, outside the prime-order group, or the identity.
    case invalidPoint
    /// The value is zero where a non-zero value is required: zero has no inverse and is not a key.
    case zero
    /// The ECDSA signature is not in its one standard form: not DER, a number that is zero or not below the order, or a
    /// high s.
    case invalidSignature
}
