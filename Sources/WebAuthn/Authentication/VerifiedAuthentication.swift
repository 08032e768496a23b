/// A verified authentication, with further facts for the caller to judge and to store.
public struct VerifiedAuthentication: Equatable, Sendable {
    /// The record with its new state. Store it after the caller's own checks, in one step that compares the counter
    /// that was read: otherwise one of two concurrent responses would be lost.
    public let record: CredentialRecord
    /// Whether the authenticator verified the user.
    public let isUserVerified: Bool
    /// The change of the counter.
    public let signCount: SignCount
    /// Whether the credential became backup eligible, which the policy allowed. Record a security event: from now on
    /// the credential is no longer bound to one device.
    public let becameBackupEligible: Bool

    /// The user of the credential.
    public var user: UserHandle { record.user }

    /// Whether the user was verified for the first time. The record still says that the user never was: change
    /// ``CredentialRecord/isUserVerificationInitialized`` after another factor (Level 3, section 7.2, step 24).
    public var verifiedUserForTheFirstTime: Bool { isUserVerified && !record.isUserVerificationInitialized }
}

/// The change of the authenticator's counter (Level 3, section 6.1.1).
public enum SignCount: Equatable, Sendable {
    /// The authenticator does not count, as with synchronised credentials.
    case notUsed
    /// The counter is higher than before.
    case increased
    /// A sign, not a proof, of a copy of the credential. Two responses may also have arrived out of order.
    case didNotIncrease(stored: UInt32, received: UInt32)

    init(stored: UInt32, received: UInt32) {
        if stored == 0, received == 0 {
            self = .notUsed
        } else {
            self = received > stored ? .increased : .didNotIncrease(stored: stored, received: received)
        }
    }
}
