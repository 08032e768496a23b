/// What is wrong with a response of a client or an authenticator, or with what a relying party was told to be.
///
/// No case carries what the client wrote, but numbers of a registry.
public enum WebAuthnError: Error, Equatable, Sendable {
    /// Not in the form that the specification gives it, or outside of ``WebAuthnLimits``.
    case malformed(Part)
    /// A key of an algorithm that this program does not verify: its number in the registry of COSE.
    case unsupportedAlgorithm(Int64)
    /// An attestation format that this program does not know.
    case unsupportedAttestationFormat
    /// The client data are of another ceremony: a registration's in an authentication, or the other way round.
    case wrongType
    /// The answer is to another challenge.
    case wrongChallenge
    /// The page's origin is none of the relying party's.
    case wrongOrigin
    /// The page was inside a frame of another site, and this relying party allows no such thing.
    case crossOriginRefused
    /// The page was inside a frame of a site that this relying party does not allow.
    case wrongTopOrigin
    /// A relying party was given an origin that is not of its domain, or a related one that is.
    case foreignOrigin
    /// The authenticator answered for another relying party, or was asked by a page that is none of it.
    case wrongRelyingParty
    /// Nobody touched the authenticator.
    case userNotPresent
    /// The authenticator did not verify who its user is, though it was asked to.
    case userNotVerified
    /// The credential claims to be backed up, and that it cannot be backed up.
    case inconsistentBackupFlags
    /// The credential's backup eligibility is another one than at its registration.
    case backupEligibilityChanged
    /// The key is of an algorithm that the options did not offer.
    case algorithmNotOffered(COSEAlgorithm)
    /// The signature is not one of this key over these bytes.
    case badSignature
    /// The attestation statement does not prove what it says.
    case attestation(AttestationFlaw)
    /// The attestation proves what it says, and the relying party's policy does not take it.
    case attestationRefused(AttestationPolicy.Refusal)
    /// The authentication was restricted to certain credentials, and this is none of them.
    case credentialNotAllowed
    /// The authenticator has one of the credentials of which the options say that it must not make another.
    case credentialExcluded
    /// The answer names another credential than the one that was attested, or than the record is of.
    case wrongCredential
    /// The credential belongs to another user than the one who is to be authenticated.
    case wrongUser
    /// Nobody was identified before, and the answer does not say whose credential it is.
    case missingUserHandle

    /// What was malformed.
    public enum Part: Equatable, Sendable {
        /// A response in JSON.
        case response
        /// Options in JSON.
        case options
        /// The client data.
        case clientData
        /// The attestation object.
        case attestationObject
        /// The authenticator data.
        case authenticatorData
        /// A public key.
        case publicKey
        /// The extensions.
        case extensions
        /// A challenge.
        case challenge
        /// An identifier of a credential.
        case credentialID
        /// A user handle.
        case userHandle
        /// An origin.
        case origin
        /// A domain of a relying party.
        case relyingPartyID
        /// A name of a user.
        case userName
    }
}
