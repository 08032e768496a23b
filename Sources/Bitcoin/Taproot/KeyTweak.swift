public import Curves

/// One step from the group key to the key that signs.
public enum KeyTweak: Equatable, Sendable {
    /// Q + t·G: a step of unhardened derivation (BIP-32).
    case plain(Scalar<Secp256k1>)
    /// with_even_y(Q) + t·G: the output tweak of BIP-341, and the first step from a group's key.
    case xOnly(Scalar<Secp256k1>)

    /// The scalar whose product with the generator is added.
    public var scalar: Scalar<Secp256k1> {
        switch self {
        case .plain(let scalar), .xOnly(let scalar): scalar
        }
    }

    /// Whether a key with an odd y is negated before the step.
    public var isXOnly: Bool {
        switch self {
        case .plain: false
        case .xOnly: true
        }
    }
}
