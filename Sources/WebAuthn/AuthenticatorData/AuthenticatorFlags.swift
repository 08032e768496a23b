/// The flags of an authenticator in one byte (Level 3, section 6.1). Two bits have no meaning yet, and are kept.
public struct AuthenticatorFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// UP: a user touched the authenticator.
    public static let userPresent = AuthenticatorFlags(rawValue: 1 << 0)
    /// UV: the authenticator verified its user, by PIN, finger or face.
    public static let userVerified = AuthenticatorFlags(rawValue: 1 << 2)
    /// BE: the credential may be copied to other devices. This never changes.
    public static let backupEligible = AuthenticatorFlags(rawValue: 1 << 3)
    /// BS: the credential is also stored elsewhere.
    public static let backedUp = AuthenticatorFlags(rawValue: 1 << 4)
    /// AT: the credential's identifier and key follow.
    public static let attestedCredential = AuthenticatorFlags(rawValue: 1 << 6)
    /// ED: extensions follow.
    public static let extensions = AuthenticatorFlags(rawValue: 1 << 7)
}
