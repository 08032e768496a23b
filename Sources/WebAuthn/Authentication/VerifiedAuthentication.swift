/// An authentication of which everything is verified. What it says besides is for the caller to weigh, and to store.
public struct VerifiedAuthentication: Equatable, Sendable {
    /// The record with its new state. Store it once whatever else the caller checks is right, too, and in one step that
    /// compares the counter that was read: of two answers at once one would else be forgotten.
    public let record: CredentialRecord
    /// Whether the authenticator found out who its user is.
    public let isUserVerified: Bool
    /// What became of the counter.
    public let signCount: SignCount
    /// Whether the credential became one that can be copied, which the policy allowed. An event for the audit: from now on
    /// it is no longer bound to one device.
    public let becameBackupEligible: Bool

    /// Whose account it is.
    public var user: UserHandle { record.user }

    /// Whether the user was verified and never had been. The record says still that it was not: change that
    /// (``CredentialRecord/isUserVerificationInitialized``) after another factor (Level 3, section 7.2, step 24).
    public var verifiedUserForTheFirstTime: Bool { isUserVerified && !record.isUserVerificationInitialized }
}

/// What became of the authenticator's counter (Level 3, section 6.1.1).
public enum SignCount: Equatable, Sendable {
    /// The authenticator does not count: as synchronised credentials do not.
    case notUsed
    /// The counter is higher than before.
    case increased
    /// A sign, and no proof, that there is a copy of the credential. It may also be two answers that came in another order.
    case didNotIncrease(stored: UInt32, received: UInt32)

    init(stored: UInt32, received: UInt32) {
        if stored == 0, received == 0 {
            self = .notUsed
        } else {
            self = received > stored ? .increased : .didNotIncrease(stored: stored, received: received)
        }
    }
}
