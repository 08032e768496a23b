public import Secrets

/// A group of prime order, with its operations on secrets. This package has two: ``Secp256k1`` and ``Ed25519``.
public protocol Curve: Sendable {
    associatedtype Point: CurvePoint where Point.Group == Self

    /// The order of the group, and arithmetic modulo it.
    static var order: GroupOrder { get }

    /// The size of an encoded point in bytes.
    static var pointSize: Int { get }

    /// Multiplies the generator by a secret. The time is constant, except that it may show whether the secret is zero.
    static func generator(times secret: borrowing SecretScalar<Self>) -> Point

    /// Multiplies a point by a secret, and returns the encoded product in guarded memory. The time is constant, except
    /// that it may show whether the result is the identity.
    ///
    /// - Precondition: the point is not the identity, and the scalar is not zero.
    static func encodedProduct(of secret: borrowing SecretScalar<Self>, and point: Point) -> SecretBytes
}

/// A public point of the group.
public protocol CurvePoint: Equatable, Sendable {
    associatedtype Group: Curve

    /// The neutral element. No protocol of this package sends it.
    static var identity: Self { get }

    /// The generator of the group.
    static var generator: Self { get }

    /// Decodes a point of ``Curve/pointSize`` bytes from its one standard form.
    ///
    /// - Throws: ``CurvesError/wrongSize(expected:got:)``, or ``CurvesError/invalidPoint``, also for the identity and
    ///   for points outside the group of prime order.
    init(encoded bytes: some Collection<UInt8>) throws(CurvesError)

    /// The encoding of the point in ``Curve/pointSize`` bytes.
    ///
    /// - Precondition: the point is not the identity of secp256k1, which has no encoding. The identity of edwards25519
    ///   has one, which may be hashed and which ``init(encoded:)`` refuses.
    var encoded: [UInt8] { get }

    var isIdentity: Bool { get }

    static func + (left: Self, right: Self) -> Self
    static prefix func - (point: Self) -> Self

    /// Multiplies the point by a scalar, in a time that reveals the scalar.
    ///
    /// - Warning: only for public scalars. A secret is multiplied by ``SecretScalar/times(_:)``.
    func multipliedVariableTime(by scalar: Scalar<Group>) -> Self
}

extension CurvePoint {
    public static func - (left: Self, right: Self) -> Self { left + (-right) }
}
