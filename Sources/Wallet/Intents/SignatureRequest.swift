public import Bitcoin
public import Curves

/// One signature that a wallet is asked for, of any kind. It is made only from a ``SigningPayload`` that has no
/// refusal.
public struct SignatureRequest: Equatable, Sendable {
    /// The 32 bytes to sign.
    public let message: [UInt8]
    /// The key that signs.
    public let key: SigningKey
}

/// The wallet's key that signs, with the tweaks of the group key.
public enum SigningKey: Equatable, Sendable {
    /// A BIP-340 signature, under the group key with these tweaks in their order.
    case schnorr([KeyTweak])
    /// An ECDSA signature, under the group key + tweak·G, which is the second value.
    case ecdsa(tweak: Scalar<Secp256k1>, publicKey: Secp256k1.Point)

    init(_ key: DerivedKey) {
        switch key {
        case .taproot(let key): self = .schnorr(key.tweaks)
        case .segwit(let key): self = .ecdsa(tweak: key.tweak, publicKey: key.publicKey)
        }
    }
}
