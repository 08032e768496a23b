public import AuthAPI
internal import AuthServer
internal import AuthStore
internal import Encoding
public import Time
internal import Tokens

/// A summary of an account: its times and counts.
public struct AccountSummary: Equatable, Sendable {
    public let id: AccountID
    /// The account's name; nil if the caller did not ask for names.
    public let name: String?
    /// The time when the account was made.
    public let created: Timestamp
    /// The time since which the account is locked; nil for an unlocked account.
    public let locked: Timestamp?
    /// The number of its passkeys.
    public let passkeys: Int
    /// The number of its active sessions.
    public let sessions: Int
    /// The time of the last sign-in or refresh that the store has a record of.
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

/// A page of accounts, in the order of their ids.
public struct AccountPage: Equatable, Sendable {
    /// The accounts of this page.
    public let accounts: [AccountSummary]
    /// The id after which the next page begins; nil for the last page.
    public let next: AccountID?
}

/// The details of an account that the operator sees.
public struct AccountDetails: Equatable, Sendable {
    /// The summary of the account.
    public let summary: AccountSummary
    /// The reason that the operator gave for the lock.
    public let lockReason: String?
    /// The passkeys, oldest first.
    public let passkeys: [Passkey]
    /// The devices, oldest first, including revoked ones.
    public let devices: [Device]
    /// The active sessions, the most recently used first.
    public let sessions: [Session]
    /// The number of unused recovery codes.
    public let recoveryCodesLeft: Int
    /// The security events, newest first.
    public let events: [AccountEvent]

    /// A passkey, without its key.
    public struct Passkey: Equatable, Sendable {
        /// The id in base64url.
        public let id: String
        /// The passkey's name; nil if the caller did not ask for names.
        public let name: String?
        /// The time when the passkey was registered.
        public let created: Timestamp
        /// The time when the passkey last signed in; nil if it never did.
        public let lastUsed: Timestamp?
        /// Whether the passkey can be copied to other devices: WebAuthn's flag BE (backup eligible).
        public let isBackupEligible: Bool
        /// The trust in its attestation.
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
        /// The device's name; nil if the caller did not ask for names.
        public let name: String?
        /// The time when the device was registered.
        public let created: Timestamp
        /// The time when the device last sent a request.
        public let lastSeen: Timestamp
        /// The time when the device was revoked; nil for an active device.
        public let revoked: Timestamp?

        init(_ row: DeviceRow, showingName: Bool) {
            id = row.id
            name = showingName ? row.name : nil
            created = row.createdAt
            lastSeen = row.lastSeenAt
            revoked = row.revokedAt
        }
    }

    /// An active session.
    public struct Session: Equatable, Sendable {
        public let id: SessionID
        /// The device that the session is bound to.
        public let device: DeviceID
        /// The time when the session began.
        public let created: Timestamp
        /// The time when the session was last used.
        public let lastUsed: Timestamp
        /// The latest time at which the session ends.
        public let expires: Timestamp
        /// The time when its owner last used a passkey.
        public let authenticated: Timestamp
        /// The claim `acr` that an access token would have if it were issued now.
        public let assurance: String

        /// Creates the view of a session.
        ///
        /// - Parameter now: the time for which the assurance is computed. Assurance decreases with age.
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
    /// A stable word, such as `signed_in`.
    public let kind: String
    /// The time when it happened.
    public let at: Timestamp
    /// The client's address, in the form that the limits use; nil for an act of the operator.
    public let address: String?
    /// The device that it concerns.
    public let device: String?
    /// The session that it concerns.
    public let session: String?
    /// The reason why it happened.
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

/// The reason for a lock, in the operator's words. The store keeps it sealed; the owner's export contains it.
public struct LockReason: Equatable, Sendable {
    /// The allowed number of characters: the most that one line shows.
    public static let characters = 1...200

    /// The reason, as the operator gave it.
    public let text: String

    /// Creates a reason; nil for a text of another length, or with control characters.
    public init?(_ text: String) {
        guard Self.characters.contains(text.count), text.utf8.count <= 4 * Self.characters.upperBound,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.text = text
    }
}
