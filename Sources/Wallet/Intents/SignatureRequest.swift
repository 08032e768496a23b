public import Bitcoin
public import Curves

/// One signature that a wallet is asked for, whatever it is good for. Comes only out of something that was shown and not
/// refused: a ``SigningPayload``.
public struct SignatureRequest: Equatable, Sendable {
    /// The 32 bytes to sign.
    public let message: [UInt8]
    /// The key that signs.
    public let key: SigningKey
}

/// Which of the wallet's keys signs, and how the group's key becomes that one.
public enum SigningKey: Equatable, Sendable {
    /// By BIP-340, under the group's key with these tweaks in their order.
    case schnorr([KeyTweak])
    /// By ECDSA, under the group's key + tweak·G, which is the second value.
    case ecdsa(tweak: Scalar<Secp256k1>, publicKey: Secp256k1.Point)

    init(_ key: DerivedKey) {
        switch key {
        case .taproot(let key): self = .schnorr(key.tweaks)
        case .segwit(let key): self = .ecdsa(tweak: key.tweak, publicKey: key.publicKey)
        }
    }
}
