/// An error in a response of a client or an authenticator, or in the terms of a relying party.
///
/// No case contains text of the client; some contain a registered number.
public enum WebAuthnError: Error, Equatable, Sendable {
    /// The input does not have the form of the specification, or exceeds ``WebAuthnLimits``.
    case malformed(Part)
    /// The key has an algorithm that this library does not verify: its number in COSE's registry.
    case unsupportedAlgorithm(Int64)
    /// The attestation format is unknown to this library.
    case unsupportedAttestationFormat
    /// The client data are of another ceremony: a registration's in an authentication, or the reverse.
    case wrongType
    /// The response is to another challenge.
    case wrongChallenge
    /// The page's origin is not one of the relying party's.
    case wrongOrigin
    /// The page was inside a frame of another site, which this relying party does not allow.
    case crossOriginRefused
    /// The page was inside a frame of a site that this relying party does not allow.
    case wrongTopOrigin
    /// An origin of a relying party is not in its domain, or a related origin is.
    case foreignOrigin
    /// The authenticator answered for another relying party, or a page of another domain asked it.
    case wrongRelyingParty
    /// The user did not touch the authenticator.
    case userNotPresent
    /// The authenticator did not verify the user, though the options require it.
    case userNotVerified
    /// The credential claims to be backed up without being backup eligible.
    case inconsistentBackupFlags
    /// The credential's backup eligibility differs from that at its registration.
    case backupEligibilityChanged
    /// The key has an algorithm that the options did not offer.
    case algorithmNotOffered(COSEAlgorithm)
    /// The signature is not by this key over these bytes.
    case badSignature
    /// The attestation statement is invalid.
    case attestation(AttestationFlaw)
    /// The attestation is valid, and the relying party's policy does not accept it.
    case attestationRefused(AttestationPolicy.Refusal)
    /// The authentication was restricted to certain credentials, and this is not one of them.
    case credentialNotAllowed
    /// The authenticator already has one of the excluded credentials.
    case credentialExcluded
    /// The response names another credential than the attested one, or than the record's.
    case wrongCredential
    /// The credential belongs to another user than the one to be authenticated.
    case wrongUser
    /// The user was not known before, and the response has no user handle.
    case missingUserHandle

    /// The malformed part.
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
