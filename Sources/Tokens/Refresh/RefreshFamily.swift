public import AuthAPI
public import Time

/// A session: the successive tokens of one sign-in on one device, as one row of the store.
///
/// ``redeem(_:by:candidate:now:policy:)`` decides on a presented token, without a store and without a clock.
public struct RefreshFamily: Sendable, Equatable {
    /// The reasons why a family was ended.
    public enum RevocationReason: String, Sendable, CaseIterable {
        /// The user signed out.
        case signedOut = "signed_out"
        /// A token was reused: see ``RefreshDecision/Reuse``.
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
        /// The store was restored from an older copy.
        case restored
    }

    /// The time and the reason of the end.
    public struct Revocation: Sendable, Equatable {
        /// The time when it was revoked.
        public let at: Timestamp
        /// The reason why it was revoked.
        public let reason: RevocationReason

        /// Creates a revocation.
        public init(at: Timestamp, reason: RevocationReason) {
            self.at = at
            self.reason = reason
        }
    }

    /// The session's identifier, which its tokens contain.
    public let id: SessionID
    /// The account of the session.
    public let account: AccountID
    /// The device that signed in.
    public let device: DeviceID
    /// The key that signs the device's proofs.
    public let thumbprint: KeyThumbprint
    /// The generation of the current token.
    public internal(set) var generation: UInt32
    /// The ``RefreshToken/hash`` of the current token, 32 bytes.
    public internal(set) var currentHash: [UInt8]
    /// The recent rotations.
    public internal(set) var recent: Rotations
    /// The time of the sign-in.
    public let issuedAt: Timestamp
    /// The time of the last rotation, or of the sign-in.
    public internal(set) var lastUsedAt: Timestamp
    /// The time of expiry, unless a token is redeemed before.
    public internal(set) var idleExpiresAt: Timestamp
    /// The time of the final expiry.
    public let expiresAt: Timestamp
    /// The revocation; nil if the family was not ended.
    public internal(set) var revocation: Revocation?
    /// How the user signed in.
    public let authentication: AuthenticationContext
    /// The scope of its access tokens.
    public let scope: Scope

    /// Creates a family after a sign-in.
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

    /// Creates a family from a stored row.
    ///
    /// - Throws: ``TokensError/damaged`` if the hash does not have 32 bytes.
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

    /// Returns the family after its end. An earlier revocation stays.
    public func revoked(at now: Timestamp, reason: RevocationReason) -> RefreshFamily {
        var next = self
        if next.revocation == nil { next.revocation = Revocation(at: now, reason: reason) }
        return next
    }
}
