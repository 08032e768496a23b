/// A relying party's stored data of a credential (Level 3, section 4, "Credential Record").
public struct CredentialRecord: Equatable, Sendable {
    public let id: CredentialID
    /// The user of the credential.
    public let user: UserHandle
    public let publicKey: COSEKey
    /// The highest counter so far; 0 for authenticators that do not count.
    public var signCount: UInt32
    /// Whether the authenticator has ever verified its user in a way that counts as a factor.
    public var isUserVerificationInitialized: Bool
    /// The ways to the authenticator.
    public let transports: [Transport]
    /// Whether the credential may be copied to other devices.
    public var isBackupEligible: Bool
    /// Whether the credential was backed up when it was last used.
    public var isBackedUp: Bool
    /// The model of the authenticator.
    public let aaguid: AAGUID

    /// Creates a record from stored values.
    public init(
        id: CredentialID, user: UserHandle, publicKey: COSEKey, signCount: UInt32, isUserVerificationInitialized: Bool,
        transports: [Transport], isBackupEligible: Bool, isBackedUp: Bool, aaguid: AAGUID
    ) {
        self.id = id
        self.user = user
        self.publicKey = publicKey
        self.signCount = signCount
        self.isUserVerificationInitialized = isUserVerificationInitialized
        self.transports = transports
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
        self.aaguid = aaguid
    }

    /// The descriptor of the credential in options.
    public var descriptor: CredentialDescriptor { CredentialDescriptor(id: id, transports: transports) }
}
