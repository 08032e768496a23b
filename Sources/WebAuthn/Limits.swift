/// Every limit of this target, with its reason. A decoder checks them before it spends memory or time.
public enum WebAuthnLimits {
    /// Bytes of a response of a browser (JSON). The attestation object in it is base64url, and some clients add copies of
    /// the authenticator data and of the key.
    public static let responseBytes = 1 << 16
    /// Depth of arrays and objects in a response or in options: extensions have a depth of four.
    public static let responseDepth = 12
    /// Bytes of an attestation object. A chain of certificates of a TPM or of Android has less than 10,000.
    public static let attestationObjectBytes = 1 << 15
    /// Bytes of client data: a challenge, two origins, and members that browsers add to test parsers.
    public static let clientDataBytes = 1 << 13
    /// Depth of arrays and objects in client data. `tokenBinding` of Level 1 is one object; the rest is spare.
    public static let clientDataDepth = 8
    /// Bytes of authenticator data: an identifier of 1,023, an RSA key of 530, and extensions.
    public static let authenticatorDataBytes = 1 << 13
    /// Characters of the name of an attestation format (Level 3, section 8.1).
    public static let formatCharacters = 32
    /// Bytes of a credential's identifier (Level 3, section 4, "Credential ID").
    public static let credentialID = 1...1023
    /// Bytes of the identifier of a new credential: at least 16, with 100 bits of entropy (Level 3, section 4).
    public static let newCredentialIDBytes = 16
    /// Bytes of a user handle (Level 3, section 5.4.3).
    public static let userHandle = 1...64
    /// Bytes of a challenge. Section 13.4.3 requires at least 16; longer ones carry a state.
    public static let challenge = 16...1024
    /// Bytes of a signature: RSA with 4096 bits is the longest.
    public static let signatureBytes = 512
    /// Bits of an RSA key's modulus. Shorter ones can be factored; longer ones only cost the verifier time.
    public static let rsaBits = 2048...4096
    /// Characters of an origin: 253 of a domain, a scheme, a port.
    public static let originCharacters = 300
    /// The number of origins of a relying party. Browsers read five other sites only (Level 3, section 5.11).
    public static let origins = 64
    /// Credentials in options. A browser asks authenticators about each.
    public static let listedCredentials = 64
    /// Transports of a credential; there are seven names today.
    public static let transports = 16
    /// Characters of the name of a transport.
    public static let transportCharacters = 32
    /// Bytes of each name of a user that options carry. Authenticators keep 64 of them (Level 3, section 5.4.1).
    public static let userNameBytes = 256
    /// Bytes of a certificate. Those of attestations have less than 2,000.
    public static let certificateBytes = 1 << 14
    /// Certificates in a statement's chain. Android's remotely provisioned keys have five.
    public static let certificates = 8
    /// Bytes of a file of metadata. That of FIDO has less than 8 MiB, mostly pictures; it is verified before it is read.
    public static let metadataBytes = 1 << 24
    /// Bytes of the head of such a file: its certificates.
    public static let metadataHeaderBytes = 1 << 16
    /// Bytes of Google's list of revoked certificates. It has some thousand entries of 100 bytes.
    public static let revocationListBytes = 1 << 23
}
