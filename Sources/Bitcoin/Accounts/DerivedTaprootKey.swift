public import HDKeys

/// One address of the wallet: the key it pays to, and how the group's key is tweaked to sign for it.
public struct DerivedTaprootKey: Equatable, Sendable {
    /// The path of the address below the account.
    public let path: AddressPath
    /// In the order in which they apply to the group's key: one for each step of the path, then the x-only one of the
    /// output. The first is x-only too, because addresses are derived from the group's x coordinate (``TaprootAccount``).
    public let tweaks: [KeyTweak]
    /// x coordinate, 32 bytes: what BIP-371 calls the internal key.
    public let internalKey: [UInt8]
    /// x coordinate, 32 bytes: the key under which a signature must verify.
    public let outputKey: [UInt8]

    /// The script of an output that pays to it.
    public var scriptPubKey: ScriptPubKey { ScriptPubKey(.p2tr(outputKey: outputKey)) }
}
