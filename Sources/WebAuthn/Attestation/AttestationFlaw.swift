/// An error in an attestation statement whose form could be read.
public enum AttestationFlaw: Equatable, Sendable {
    /// A field is missing, has another type, or does not belong to this format.
    case malformed
    /// The statement's algorithm is not the one of the key that signed it.
    case wrongAlgorithm
    /// The signature over the authenticator data and the client data is not by that key.
    case badSignature
    /// A certificate cannot be read, or has a key of a kind that is not supported here.
    case unreadableCertificate
    /// The attesting certificate does not meet a requirement of the format.
    case certificate(Requirement)
    /// The certificate is for another model of authenticator.
    case wrongModel
    /// The attested key is not the credential's.
    case wrongKey
    /// The statement was made for another registration: `extraData` of a TPM, Android's challenge, Apple's nonce.
    case wrongNonce
    /// The TPM's structures have an error.
    case tpm(TPM)
    /// The description by Android's key store has an error.
    case androidKey(AndroidKey)

    /// The requirements for certificates (Level 3, sections 8.2.1, 8.3.1, 8.4.1, 8.6, 8.8).
    public enum Requirement: Equatable, Sendable {
        /// It must have version 3.
        case version
        /// The subject must have a country, an organisation, "Authenticator Attestation" and a name; that of a TPM must
        /// be empty.
        case subject
        /// The basic constraints must say that it is not an authority.
        case noAuthority
        /// The extension with the model must not be critical, and must have 16 bytes.
        case model
        /// A TPM's alternative name must have manufacturer, model and version.
        case alternativeName
        /// The manufacturer of the TPM must be one that the rules allow.
        case manufacturer
        /// It must have the extended key usage of keys that attest for a TPM.
        case extendedKeyUsage
        /// Its key must be on P-256.
        case key
        /// It must have the extension with Apple's nonce, or with Android's description of the key.
        case missingExtension
        /// The extension with Apple's nonce, or with Android's description of the key, must be well-formed.
        case malformedExtension
    }

    /// The errors in the structures of a TPM.
    public enum TPM: Equatable, Sendable {
        /// The public area cannot be read, or its key is of a kind that is not supported here.
        case publicArea
        /// The certification cannot be read.
        case certification
        /// The TPM did not generate it: it does not begin with `TPM_GENERATED_VALUE`.
        case magic
        /// It attests something other than a key: a quote, a time.
        case type
        /// It certifies another public area.
        case name
        /// The key was made elsewhere, or can be moved elsewhere.
        case movableKey
    }

    /// The errors in a description of an Android key.
    public enum AndroidKey: Equatable, Sendable {
        /// Every app on the device may use it.
        case allApplications
        /// It was not generated where it is kept, or that is not stated.
        case origin
        /// It has another purpose than signing, or its purpose is not stated.
        case purpose
        /// Only software keeps or attests it.
        case software
        /// A certificate above the first one also describes a key: an app's key signed in place of the key store.
        case signedByApp
    }
}
