/// A Bitcoin network. An address or extended key of one is refused on another.
public enum Network: String, CaseIterable, Hashable, Sendable {
    /// The network of coins with value.
    case mainnet
    /// The public test network.
    case testnet
    /// The public test network with signed blocks.
    case signet
    /// A private test network on one machine.
    case regtest

    /// The lower-case name: `mainnet`, `testnet`, `signet` or `regtest`.
    public var name: String { rawValue }

    /// The network of this name, if there is one.
    public init?(name: String) { self.init(rawValue: name) }

    /// The first four bytes of an extended public key (BIP-32): `xpub` on mainnet, `tpub` on all others.
    package var extendedKeyVersion: UInt32 { self == .mainnet ? 0x0488_B21E : 0x0435_87CF }

    /// The first four bytes of an extended private key (BIP-32): `xprv` on mainnet, `tprv` on all others.
    package var extendedPrivateKeyVersion: UInt32 { self == .mainnet ? 0x0488_ADE4 : 0x0435_8394 }
}
