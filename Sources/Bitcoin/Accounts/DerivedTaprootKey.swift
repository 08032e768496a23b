public import HDKeys

/// The key of one taproot address of the wallet, and the tweaks with which the group key signs for it.
public struct DerivedTaprootKey: Equatable, Sendable {
    /// The path of the address below the account.
    public let path: AddressPath
    /// The tweaks in the order in which they apply to the group key: one for each step of the path, then the x-only one
    /// of the output. The first is x-only, too, because addresses are derived from the group key's x coordinate
    /// (``TaprootAccount``).
    public let tweaks: [KeyTweak]
    /// The internal key of BIP-371: its x coordinate, 32 bytes.
    public let internalKey: [UInt8]
    /// The key under which a signature must verify: its x coordinate, 32 bytes.
    public let outputKey: [UInt8]

    /// The script of an output that pays to it.
    public var scriptPubKey: ScriptPubKey { ScriptPubKey(.p2tr(outputKey: outputKey)) }
}
