/// The requirements for a statement that the specification leaves to the relying party.
public struct AttestationRules: Equatable, Sendable {
    /// The TPM manufacturers that are accepted.
    public var manufacturers: Set<TPMManufacturer>
    /// Whether a TPM key's attributes must say that the TPM made it, and that it can never leave. WebAuthn does not
    /// require this, but a TPM also certifies imported keys.
    public var fixedTPMKeys: Bool
    /// Whether a TPM may sign with RSA and SHA-1 (RS1), as most TPMs under Windows do.
    ///
    /// - Warning: An attacker who can make a SHA-1 collision can use one certification for two registrations of the
    ///   same key. This does not work for another key, which is certified by its SHA-256.
    public var insecureSHA1OfTPMs = false
    /// The required evidence for the origin and the purpose of an Android key.
    public var androidKeys: AndroidKeys

    /// Creates the rules of a relying party.
    public init(manufacturers: Set<TPMManufacturer>, fixedTPMKeys: Bool, androidKeys: AndroidKeys) {
        self.manufacturers = manufacturers
        self.fixedTPMKeys = fixedTPMKeys
        self.androidKeys = androidKeys
    }

    /// The strict rules: registered manufacturers, keys that stay in their TPM, Android keys in secure hardware.
    public static let strict = AttestationRules(
        manufacturers: TPMManufacturer.registered, fixedTPMKeys: true, androidKeys: .inHardware)

    /// The choice of Level 3, section 8.4.
    public enum AndroidKeys: Equatable, Sendable {
        /// Only what secure hardware enforces and attests counts: the key never leaves it.
        case inHardware
        /// Rules that only Android itself enforces also count. A rooted device can claim anything.
        case anywhere
        /// Like `anywhere`, and a missing origin or purpose is accepted. The specification's own test vector states
        /// neither.
        ///
        /// - Warning: This is for that vector only. An app can have imported such a key.
        case unstated
    }
}
