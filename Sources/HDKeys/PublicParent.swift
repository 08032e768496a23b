public import Curves

/// An extended public key, prepared to derive many children: the computations that they share are done once.
public struct PublicParent: Equatable, Sendable {
    /// The key whose children are derived.
    public let key: ExtendedPublicKey
    private let encodedPoint: [UInt8]
    private let fingerprint: KeyFingerprint

    /// Prepares a key to derive children from.
    ///
    /// - Throws: ``HDKeyError/badPath`` for a key at depth 255, which has no children.
    public init(_ key: ExtendedPublicKey) throws(HDKeyError) {
        guard key.depth < .max else { throw .badPath }
        self.key = key
        encodedPoint = key.point.encoded
        fingerprint = key.fingerprint
    }

    /// Returns the child of this index, and the tweak that was added to the key (CKDpub).
    ///
    /// - Parameter index: 0..<2³¹.
    /// - Returns: the child, and the scalar t for which child = key + t·G.
    /// - Throws: ``HDKeyError/badPath`` for a hardened index; ``HDKeyError/badKey`` where this index has no child, which is
    ///   less likely than 2⁻¹²⁷.
    public func child(_ index: UInt32) throws(HDKeyError) -> (key: ExtendedPublicKey, tweak: Scalar<Secp256k1>) {
        guard index < DerivationPath.Step.hardened else { throw .badPath }
        let end = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: index >> UInt32($0)) }
        let code = HMACSHA512.code(key: key.chainCode, message: encodedPoint + end)
        guard let tweak = try? Scalar<Secp256k1>(canonical: code.prefix(32)) else { throw .badKey }
        let point = key.point + Secp256k1.Point.generator.multipliedVariableTime(by: tweak)
        guard !point.isIdentity else { throw .badKey }
        let child = ExtendedPublicKey(
            depth: key.depth + 1, parentFingerprint: fingerprint, childNumber: index, chainCode: Array(code.suffix(32)),
            point: point)
        return (child, tweak)
    }
}
