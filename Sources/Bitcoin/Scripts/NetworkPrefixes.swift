internal import HDKeys

extension Network {
    /// The human-readable part of witness addresses (BIP-173). Signet uses testnet's.
    package var humanReadablePart: String {
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
}
