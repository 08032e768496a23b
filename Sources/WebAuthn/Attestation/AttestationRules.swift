/// What a statement has to show where the specification leaves it to the relying party.
public struct AttestationRules: Equatable, Sendable {
    /// The makers of TPMs whose word counts.
    public var manufacturers: Set<TPMManufacturer>
    /// Whether the attributes of a TPM's key have to say that the TPM made it, and that it stays there for good. WebAuthn
    /// does not ask; but a TPM certifies imported keys as well.
    public var fixedTPMKeys: Bool
    /// Whether a TPM may sign with RSA and SHA-1 (RS1), as those mostly do that Windows has.
    ///
    /// - Warning: who can make two inputs of one SHA-1 can have one certification for two registrations of the same key;
    ///   not for another key, which is certified by its SHA-256.
    public var insecureSHA1OfTPMs = false
    /// Whose word counts about the origin and the purpose of an Android key.
    public var androidKeys: AndroidKeys

    /// Creates the rules of a relying party.
    public init(manufacturers: Set<TPMManufacturer>, fixedTPMKeys: Bool, androidKeys: AndroidKeys) {
        self.manufacturers = manufacturers
        self.fixedTPMKeys = fixedTPMKeys
        self.androidKeys = androidKeys
    }

    /// Registered makers, keys that stay in their TPM, Android keys in secure hardware.
    public static let strict = AttestationRules(
        manufacturers: TPMManufacturer.registered, fixedTPMKeys: true, androidKeys: .inHardware)

    /// The choice of Level 3, section 8.4.
    public enum AndroidKeys: Equatable, Sendable {
        /// Only what secure hardware enforces and attests: the key never leaves it.
        case inHardware
        /// What Android itself enforces counts, too: a rooted device can say anything.
        case anywhere
        /// As `anywhere`, and it is enough that no origin or purpose is given that would be wrong. The specification's own
        /// test vector gives neither.
        ///
        /// - Warning: for that vector. Such a key may be one that an app has brought along.
        case unstated
    }
}
