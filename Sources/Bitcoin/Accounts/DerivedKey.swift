public import HDKeys

/// The key of one address of the wallet. Its account determines the kind of signature.
public enum DerivedKey: Equatable, Sendable {
    /// A key of the ``TaprootAccount``: signs by BIP-340, under the group key with all its tweaks.
    case taproot(DerivedTaprootKey)
    /// A key of the ``SegwitAccount``: signs by ECDSA, under the group key with one tweak.
    case segwit(DerivedSegwitKey)

    /// The path of the key in its account.
    public var path: AddressPath {
        switch self {
        case .taproot(let key): key.path
        case .segwit(let key): key.path
        }
    }

    /// The script of an output that pays to it.
    public var scriptPubKey: ScriptPubKey {
        switch self {
        case .taproot(let key): key.scriptPubKey
        case .segwit(let key): key.scriptPubKey
        }
    }
}
