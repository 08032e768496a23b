public import AuthAPI
internal import Encoding
internal import Tokens

/// An account in a few numbers.
public struct AccountSummary: Equatable, Sendable {
    public let id: AccountID
    /// Nil where names were not asked for.
    public let name: String?
    /// When the account was made.
    public let created: Timestamp
    /// Since when the account is locked; nil while it is open.
    public let locked: Timestamp?
    /// The number of its passkeys.
    public let passkeys: Int
    /// The sessions that go on.
    public let sessions: Int
    /// The last sign-in or refresh that the store still knows of.
    public let lastUsed: Timestamp?

    init(_ row: AccountOverviewRow) {
        id = row.id
        name = row.name
        created = row.createdAt
        locked = row.lockedAt
        passkeys = row.passkeys
        sessions = row.sessions
        lastUsed = row.lastUsedAt
    }
}

/// Some accounts, in the order of their ids.
public struct AccountPage: Equatable, Sendable {
    /// The accounts of this page.
    public let accounts: [AccountSummary]
    /// The id after which the next page begins; nil where this is the last one.
    public let next: AccountID?
}

/// All that the operator sees of an account.
public struct AccountDetails: Equatable, Sendable {
    /// The account in a few numbers.
    public let summary: AccountSummary
    /// What the operator gave as the reason of the lock.
    public let lockReason: String?
    /// The oldest first.
    public let passkeys: [Passkey]
    /// The oldest first, revoked ones among them.
    public let devices: [Device]
    /// The sessions that go on, the one used last first.
    public let sessions: [Session]
    /// The number of recovery codes that are not used yet.
    public let recoveryCodesLeft: Int
    /// The newest first.
    public let events: [AccountEvent]

    /// A passkey, without its key.
    public struct Passkey: Equatable, Sendable {
        /// In base64url.
        public let id: String
        /// Nil where names were not asked for.
        public let name: String?
        /// When the passkey was registered.
        public let created: Timestamp
        /// When the passkey last signed in; nil if it never did.
        public let lastUsed: Timestamp?
        /// Whether the passkey can be copied to other devices: WebAuthn's flag BE (backup eligible).
        public let isBackupEligible: Bool
        /// What its attestation was worth.
        public let attestation: String

        init(_ row: PasskeyRow, showingName: Bool) {
            id = Base64URL.encode(row.credentialID)
            name = showingName ? row.label : nil
            created = row.createdAt
            lastUsed = row.lastUsedAt
            isBackupEligible = row.isBackupEligible
            attestation = row.attestationFormat
        }
    }

    /// A device.
    public struct Device: Equatable, Sendable {
        public let id: DeviceID
        /// Nil where names were not asked for.
        public let name: String?
        /// When the device was registered.
        public let created: Timestamp
        /// When the device last sent a request.
        public let lastSeen: Timestamp
        /// When the device was revoked; nil if it was not.
        public let revoked: Timestamp?

        init(_ row: DeviceRow, showingName: Bool) {
            id = row.id
            name = showingName ? row.name : nil
            created = row.createdAt
            lastSeen = row.lastSeenAt
            revoked = row.revokedAt
        }
    }

    /// A session that goes on.
    public struct Session: Equatable, Sendable {
        public let id: SessionID
        /// The device that the session is bound to.
        public let device: DeviceID
        /// When the session began.
        public let created: Timestamp
        /// When the session was last used.
        public let lastUsed: Timestamp
        /// When the session ends at the latest.
        public let expires: Timestamp
        /// When its owner last used a passkey.
        public let authenticated: Timestamp
        /// The claim `acr` of an access token that would be issued now.
        public let assurance: String

        /// - Parameter now: for which the assurance is told: it falls with age.
        init(_ row: SessionRow, at now: Timestamp) throws {
            id = row.id
            device = row.device
            created = row.issuedAt
            lastUsed = row.lastUsedAt
            expires = row.expiresAt
            authenticated = row.authTime
            assurance = try row.authentication.aged(at: now).acr
        }
    }
}

/// A security event of an account.
public struct AccountEvent: Equatable, Sendable {
    /// A stable word: `signed_in`.
    public let kind: String
    /// When it happened.
    public let at: Timestamp
    /// The client's address, as the limits have it; nil where the operator did it.
    public let address: String?
    /// The device that it concerns.
    public let device: String?
    /// The session that it concerns.
    public let session: String?
    /// Why it happened.
    public let reason: String?

    init(_ row: SecurityEventRow) {
        let details = row.details.flatMap { try? JSON(decoding: $0) }
        kind = row.kind
        at = row.at
        address = details?["address"]?.string
        device = details?["device_id"]?.string
        session = details?["session_id"]?.string
        reason = details?["reason"]?.string
    }
}

/// Why an account is locked, in the operator's words. The store has it sealed; the owner's export has it.
public struct LockReason: Equatable, Sendable {
    /// As many characters as a line shows.
    public static let characters = 1...200

    /// The reason, as the operator gave it.
    public let text: String

    /// Nil for a text of another length, or with control characters in it.
    public init?(_ text: String) {
        guard Self.characters.contains(text.count), text.utf8.count <= 4 * Self.characters.upperBound,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.text = text
    }
}
