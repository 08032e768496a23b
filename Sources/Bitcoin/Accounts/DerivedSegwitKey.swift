public import Curves
public import HDKeys

/// One P2WPKH address of the wallet: the key it pays to, and how the group's key is tweaked to sign for it.
public struct DerivedSegwitKey: Equatable, Sendable {
    /// The path of the address below the account.
    public let path: AddressPath
    /// The sum of what both steps of the path add (BIP-32): the key is the group's + tweak·G.
    public let tweak: Scalar<Secp256k1>
    /// The key under which a signature must verify.
    public let publicKey: Secp256k1.Point

    /// The script of an output that pays to it.
    public var scriptPubKey: ScriptPubKey { ScriptPubKey(.p2wpkh(keyHash: Hash160.hash(publicKey.encoded))) }
}
