/// A verified registration. One check is left to the store: that no credential has this identifier already (step 26).
public struct VerifiedRegistration: Sendable {
    /// The attestation that the statement proves.
    public let attestation: Attestation
    /// The trust in the attestation; the policy accepted it.
    public let trust: AttestationTrust
    /// The place of the credential's key, as far as it is proven.
    public let keyProtection: KeyProtection
    /// Whether the authenticator verified the user.
    public let isUserVerified: Bool
    /// Whether the credential is discoverable, as the client says; nil if it does not say.
    public let isDiscoverable: Bool?
    /// The received bytes, to be judged again when a model of authenticators turns out to be broken.
    public let attestationObject: [UInt8]
    /// The client data of the attestation object.
    public let clientDataJSON: [UInt8]

    /// The new record, for a store that itself refuses a second credential with the same identifier for any user (a
    /// primary key). For other stores use ``claim(isTaken:)``.
    ///
    /// - Warning: If an existing record were replaced, an attacker who knows a credential's identifier could take it
    ///   over, and its user would sign in to the attacker's account.
    public let uncheckedRecord: CredentialRecord

    /// The identifier that must be new.
    public var credentialID: CredentialID { uncheckedRecord.id }

    /// Whether the identifier is new.
    public enum Claim: Equatable, Sendable {
        /// The credential is new: store its record.
        case free(CredentialRecord)
        /// A credential with this identifier exists: the registration fails.
        case taken
    }

    /// Takes step 26: asks whether **any** user has a credential with this identifier, and returns the record if no
    /// user has.
    ///
    /// - Parameter isTaken: looks it up in the same transaction in which the record is then inserted.
    public func claim<Failure: Error>(
        isTaken: (CredentialID) throws(Failure) -> Bool
    ) throws(Failure) -> Claim {
        try isTaken(credentialID) ? .taken : .free(uncheckedRecord)
    }
}
