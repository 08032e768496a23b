/// The purpose of one of a wallet's keys. Each purpose has a key of its own, made and renewed in separate sessions, so
/// that messages for one are useless for another.
public enum WalletKeyPurpose: String, CaseIterable, Sendable, Codable {
    /// BIP-340 signatures on secp256k1, by FROST (BIP-445): taproot.
    case schnorr
    /// ECDSA signatures on secp256k1, by DKLs23: SegWit and Ethereum.
    case ecdsa
    /// Ed25519 signatures, by FROST (RFC 9591).
    case ed25519
}
