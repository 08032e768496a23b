public import Curves
public import HDKeys

/// The key of one P2WPKH address of the wallet, and the tweak with which the group key signs for it.
public struct DerivedSegwitKey: Equatable, Sendable {
    /// The path of the address below the account.
    public let path: AddressPath
    /// The sum of both derivation steps (BIP-32): the key is the group key + tweak·G.
    public let tweak: Scalar<Secp256k1>
    /// The key under which a signature must verify.
    public let publicKey: Secp256k1.Point

    /// The script of an output that pays to it.
    public var scriptPubKey: ScriptPubKey { ScriptPubKey(.p2wpkh(keyHash: Hash160.hash(publicKey.encoded))) }
}
