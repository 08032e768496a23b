/// What is wrong with an encoding of a scalar, a point or a key.
public enum CurvesError: Error, Equatable, Sendable {
    /// Not the size that this encoding has.
    case wrongSize(expected: Int, got: Int)
    /// A scalar that is not below the group order.
    case scalarOutOfRange
    /// No point of the curve, not in its one standard form, outside the prime-order group, or the identity.
    case invalidPoint
    /// Zero, where something is needed that is not: zero has no inverse and is no key.
    case zero
    /// No ECDSA signature in its one standard form: not DER, a number that is zero or not below the order, or a high s.
    case invalidSignature
}
