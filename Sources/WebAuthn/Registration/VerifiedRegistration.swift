/// A registration of which all is verified but one thing, which only the store knows: that nobody has a credential of that
/// identifier (step 26).
public struct VerifiedRegistration: Sendable {
    /// What the attestation statement proves.
    public let attestation: Attestation
    /// Whose word the attestation is: the policy took it.
    public let trust: AttestationTrust
    /// Where the credential's key lies, as far as it is proven.
    public let keyProtection: KeyProtection
    /// Whether the authenticator found out who its user is.
    public let isUserVerified: Bool
    /// Whether the credential can be used without being named, as the client says; nil if it does not.
    public let isDiscoverable: Bool?
    /// As it came, to be looked at again when a model of authenticators turns out to be broken.
    public let attestationObject: [UInt8]
    /// What belongs to it.
    public let clientDataJSON: [UInt8]

    /// The new record, for a store that itself refuses a second credential of one identifier, whoever's it is, in the
    /// moment of inserting (a primary key). For all others there is ``claim(isTaken:)``.
    ///
    /// - Warning: were the record of an identifier replaced, whoever knows somebody's credential could take it over, and
    ///   have that person sign in to an account that is not theirs.
    public let uncheckedRecord: CredentialRecord

    /// The identifier that must be new.
    public var credentialID: CredentialID { uncheckedRecord.id }

    /// Whether the identifier is new.
    public enum Claim: Equatable, Sendable {
        /// The credential is new: store its record.
        case free(CredentialRecord)
        /// Somebody has it: the registration fails.
        case taken
    }

    /// Step 26: asks whether **any** user has a credential of this identifier, and hands out the record if nobody does.
    ///
    /// - Parameter isTaken: looks in the transaction in which the record is then inserted.
    public func claim<Failure: Error>(
        isTaken: (CredentialID) throws(Failure) -> Bool
    ) throws(Failure) -> Claim {
        try isTaken(credentialID) ? .taken : .free(uncheckedRecord)
    }
}
