/// What is wrong with an attestation statement whose form could be read.
public enum AttestationFlaw: Equatable, Sendable {
    /// A field is missing, of another type, or not one of this format.
    case malformed
    /// The statement's algorithm is not the one of the key that signed it.
    case wrongAlgorithm
    /// The signature over the authenticator data and the client data is not one of that key.
    case badSignature
    /// What should be a certificate is none, or has a key of a kind that is not verified here.
    case unreadableCertificate
    /// The certificate that attests is not as the format asks for it.
    case certificate(Requirement)
    /// The certificate is one for another model of authenticator.
    case wrongModel
    /// What is attested is another key than the credential's.
    case wrongKey
    /// What is attested was made for another registration: `extraData` of a TPM, Android's challenge, Apple's nonce.
    case wrongNonce
    /// What the TPM says.
    case tpm(TPM)
    /// What Android's key store says.
    case androidKey(AndroidKey)

    /// What a certificate has to be (Level 3, sections 8.2.1, 8.3.1, 8.4.1, 8.6, 8.8).
    public enum Requirement: Equatable, Sendable {
        /// Version 3.
        case version
        /// The subject: a country, an organisation, "Authenticator Attestation" and a name; of a TPM's, empty.
        case subject
        /// Basic constraints, which say that it is no authority.
        case noAuthority
        /// The extension with the model: not critical, and 16 bytes.
        case model
        /// The alternative name of a TPM: maker, model and version.
        case alternativeName
        /// A maker of TPMs that the rules allow.
        case manufacturer
        /// The extended key usage of keys that attest for a TPM.
        case extendedKeyUsage
        /// A key on P-256.
        case key
        /// The extension with Apple's nonce, or with Android's description of the key.
        case missingExtension
        /// That extension, in its form.
        case malformedExtension
    }

    /// What is wrong with the structures of a TPM.
    public enum TPM: Equatable, Sendable {
        /// The public area cannot be read, or is of a key that is not verified here.
        case publicArea
        /// The certification cannot be read.
        case certification
        /// The TPM did not make it by itself: it does not begin with `TPM_GENERATED_VALUE`.
        case magic
        /// It attests something else than a key: a quote, a time.
        case type
        /// It certifies another public area.
        case name
        /// The key was made elsewhere, or can be moved elsewhere.
        case movableKey
    }

    /// What is wrong with a key of Android.
    public enum AndroidKey: Equatable, Sendable {
        /// Every app on the device may use it.
        case allApplications
        /// It was not made where it is kept, or nothing says so.
        case origin
        /// It is for something else than signing, or nothing says that it is for that.
        case purpose
        /// Only software keeps or attests it.
        case software
        /// A certificate above the first one describes a key, too: an app's key signed what a key store should have.
        case signedByApp
    }
}
