/// The signature algorithms that this library verifies, by their number in COSE's registry (RFC 9053, RFC 8812).
///
/// In WebAuthn each ECDSA algorithm implies one curve (Level 3, section 5.8.5).
public enum COSEAlgorithm: Int64, Hashable, CaseIterable, Sendable {
    /// ECDSA with SHA-256 on P-256.
    case es256 = -7
    /// Ed25519.
    case edDSA = -8
    /// ECDSA with SHA-384 on P-384.
    case es384 = -35
    /// ECDSA with SHA-512 on P-521.
    case es512 = -36
    /// RSASSA-PKCS1-v1_5 with SHA-256, 2048 to 4096 bits.
    case rs256 = -257

    /// Returns the name of an algorithm in the registry, also of some that are not verified here; nil for all others.
    public static func name(of number: Int64) -> String? {
        switch number {
        case -7: "ES256"
        case -8: "EdDSA"
        case -9: "ESP256"
        case -19: "Ed25519"
        case -35: "ES384"
        case -36: "ES512"
        case -37: "PS256"
        case -47: "ES256K"
        case -48: "ML-DSA-44"
        case -49: "ML-DSA-65"
        case -50: "ML-DSA-87"
        case -51: "ESP384"
        case -52: "ESP512"
        case -53: "Ed448"
        case -257: "RS256"
        case -258: "RS384"
        case -259: "RS512"
        case -65535: "RS1"
        default: nil
        }
    }
}

extension COSEAlgorithm: CustomStringConvertible {
    /// The name in the registry.
    public var description: String { Self.name(of: rawValue) ?? String(rawValue) }
}
