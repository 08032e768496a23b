public import Secrets

/// A group of prime order, with what is done there to secrets. The two of this package: ``Secp256k1`` and ``Ed25519``.
public protocol Curve: Sendable {
    associatedtype Point: CurvePoint where Point.Group == Self

    /// The order of the group, and arithmetic modulo it.
    static var order: GroupOrder { get }

    /// The size of an encoded point in bytes.
    static var pointSize: Int { get }

    /// The generator times a secret, in constant time but for whether the secret is zero.
    static func generator(times secret: borrowing SecretScalar<Self>) -> Point

    /// A point times a secret, encoded, in guarded memory; in constant time but for whether the result is the identity.
    ///
    /// - Precondition: neither the point is the identity nor the scalar zero.
    static func encodedProduct(of secret: borrowing SecretScalar<Self>, and point: Point) -> SecretBytes
}

/// A point of the group, which is public.
public protocol CurvePoint: Equatable, Sendable {
    associatedtype Group: Curve

    /// The neutral element. No protocol of this package sends it.
    static var identity: Self { get }

    /// The generator of the group.
    static var generator: Self { get }

    /// Reads a point of ``Curve/pointSize`` bytes in its one standard form.
    ///
    /// - Throws: ``CurvesError/wrongSize(expected:got:)``, or ``CurvesError/invalidPoint`` also for the identity and for
    ///   what lies outside the group of prime order.
    init(encoded bytes: some Collection<UInt8>) throws(CurvesError)

    /// The point in ``Curve/pointSize`` bytes.
    ///
    /// - Precondition: not the identity of secp256k1, which has no encoding. That of edwards25519 has one, to be hashed,
    ///   which ``init(encoded:)`` refuses.
    var encoded: [UInt8] { get }

    var isIdentity: Bool { get }

    static func + (left: Self, right: Self) -> Self
    static prefix func - (point: Self) -> Self

    /// The point times a scalar, in a time that tells the scalar.
    ///
    /// - Warning: only for scalars that are public. A secret is multiplied by ``SecretScalar/times(_:)``.
    func multipliedVariableTime(by scalar: Scalar<Group>) -> Self
}

extension CurvePoint {
    public static func - (left: Self, right: Self) -> Self { left + (-right) }
}
