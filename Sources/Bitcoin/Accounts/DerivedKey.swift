public import HDKeys

/// The key of one address of the wallet: of which account it is says how it signs.
public enum DerivedKey: Equatable, Sendable {
    /// Of the ``TaprootAccount``: signs by BIP-340, under the group's key with all its tweaks.
    case taproot(DerivedTaprootKey)
    /// Of the ``SegwitAccount``: signs by ECDSA, under the group's key with one tweak.
    case segwit(DerivedSegwitKey)

    /// Where it is in its account.
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
