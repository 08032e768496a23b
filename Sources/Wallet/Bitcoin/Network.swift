/// A Bitcoin network. An address or extended key of one is refused on another.
public enum Network: String, CaseIterable, Hashable, Sendable {
    case mainnet, testnet, signet, regtest

    /// The lower-case name: `mainnet`, `testnet`, `signet` or `regtest`.
    public var name: String { rawValue }

    /// The network of this name, if there is one.
    public init?(name: String) { self.init(rawValue: name) }

    /// The human-readable part of witness addresses (BIP-173). Signet took over testnet's.
    var humanReadablePart: String {
        switch self {
        case .mainnet: "bc"
        case .testnet, .signet: "tb"
        case .regtest: "bcrt"
        }
    }

    /// The first byte of a Base58Check address that pays to the hash of a key.
    var publicKeyHashVersion: UInt8 { self == .mainnet ? 0x00 : 0x6F }

    /// The first byte of a Base58Check address that pays to the hash of a script.
    var scriptHashVersion: UInt8 { self == .mainnet ? 0x05 : 0xC4 }

    /// The first four bytes of an extended public key (BIP-32): `xpub` on mainnet, `tpub` on all others.
    var extendedKeyVersion: UInt32 { self == .mainnet ? 0x0488_B21E : 0x0435_87CF }

    /// The first four bytes of an extended private key (BIP-32): `xprv` on mainnet, `tprv` on all others.
    var extendedPrivateKeyVersion: UInt32 { self == .mainnet ? 0x0488_ADE4 : 0x0435_8394 }
}
