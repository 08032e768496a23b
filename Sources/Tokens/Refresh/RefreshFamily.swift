public import AuthAPI

/// A session: the tokens that follow one another from one sign-in of one device, as one row of the store.
///
/// What happens when a token is presented is decided here, without a store and without a clock: ``redeem(_:by:candidate:now:policy:)``.
public struct RefreshFamily: Sendable, Equatable {
    /// Why a family was ended.
    public enum RevocationReason: String, Sendable, CaseIterable {
        /// The user signed out.
        case signedOut = "signed_out"
        /// A token was presented that must not be: see ``RefreshDecision/Reuse``.
        case reuse
        /// The device was revoked.
        case deviceRevoked = "device_revoked"
        /// The user ended every session.
        case everySession = "every_session"
        /// The account was recovered with a recovery code.
        case accountRecovered = "account_recovered"
        /// The account was erased.
        case accountErased = "account_erased"
        /// The operator ended the session.
        case byOperator = "operator"
        /// The operator has locked the account.
        case accountLocked = "account_locked"
        /// The store was put back to a copy from before.
        case restored
    }

    /// When and why it was ended.
    public struct Revocation: Sendable, Equatable {
        /// When it was revoked.
        public let at: Timestamp
        /// Why it was revoked.
        public let reason: RevocationReason

        /// Creates a revocation.
        public init(at: Timestamp, reason: RevocationReason) {
            self.at = at
            self.reason = reason
        }
    }

    /// What its tokens name it by.
    public let id: SessionID
    /// Whose session it is.
    public let account: AccountID
    /// The device that signed in.
    public let device: DeviceID
    /// The key that signs the device's proofs.
    public let thumbprint: KeyThumbprint
    /// Of the token that is current.
    public internal(set) var generation: UInt32
    /// ``RefreshToken/hash`` of the token that is current, 32 bytes.
    public internal(set) var currentHash: [UInt8]
    /// What was redeemed lately.
    public internal(set) var recent: Rotations
    /// The sign-in.
    public let issuedAt: Timestamp
    /// The last rotation, or the sign-in.
    public internal(set) var lastUsedAt: Timestamp
    /// From then on it is at its end, unless a token is redeemed before.
    public internal(set) var idleExpiresAt: Timestamp
    /// From then on it is at its end.
    public let expiresAt: Timestamp
    /// Nil while nobody has ended it.
    public internal(set) var revocation: Revocation?
    /// How the person signed in.
    public let authentication: AuthenticationContext
    /// What its access tokens are good for.
    public let scope: Scope

    /// A new family, after a sign-in.
    ///
    /// - Parameter first: its first token, of generation 0.
    public init(
        first: RefreshToken, account: AccountID, device: DeviceID, thumbprint: KeyThumbprint,
        authentication: AuthenticationContext, scope: Scope, now: Timestamp, policy: RefreshPolicy
    ) {
        precondition(first.generation == 0, "a family begins with its first token")
        id = first.family
        self.account = account
        self.device = device
        self.thumbprint = thumbprint
        generation = 0
        currentHash = first.hash
        recent = Rotations()
        issuedAt = now
        lastUsedAt = now
        expiresAt = now.adding(policy.absolute)
        idleExpiresAt = now.adding(policy.idle)
        self.authentication = authentication
        self.scope = scope
    }

    /// A row, as it was read.
    ///
    /// - Throws: ``TokensError/damaged`` if the hash has not 32 bytes.
    public init(
        id: SessionID, account: AccountID, device: DeviceID, thumbprint: KeyThumbprint, generation: UInt32,
        currentHash: [UInt8], recent: Rotations, issuedAt: Timestamp, lastUsedAt: Timestamp, idleExpiresAt: Timestamp,
        expiresAt: Timestamp, revocation: Revocation?, authentication: AuthenticationContext, scope: Scope
    ) throws(TokensError) {
        guard currentHash.count == 32 else { throw .damaged }
        self.id = id
        self.account = account
        self.device = device
        self.thumbprint = thumbprint
        self.generation = generation
        self.currentHash = currentHash
        self.recent = recent
        self.issuedAt = issuedAt
        self.lastUsedAt = lastUsedAt
        self.idleExpiresAt = idleExpiresAt
        self.expiresAt = expiresAt
        self.revocation = revocation
        self.authentication = authentication
        self.scope = scope
    }

    /// The family after it was ended. What ended it first remains.
    public func revoked(at now: Timestamp, reason: RevocationReason) -> RefreshFamily {
        var next = self
        if next.revocation == nil { next.revocation = Revocation(at: now, reason: reason) }
        return next
    }
}
