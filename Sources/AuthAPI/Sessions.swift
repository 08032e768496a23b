public import Encoding
public import Time

/// A session, as its owner sees it.
public struct SessionView: Equatable, Sendable {
    public let id: SessionID
    /// The device that the session is bound to.
    public let device: DeviceID
    /// The name that its owner gave to the device.
    public let deviceName: String
    /// Whether it is the session of the request.
    public let isCurrent: Bool
    /// The time when the session began.
    public let created: Timestamp
    /// The time when the session was last used.
    public let lastUsed: Timestamp
    /// The time when the session ends at the latest.
    public let expires: Timestamp
    /// The time when a passkey was last used (`auth_time`).
    public let authenticated: Timestamp
    /// The assurance level: `urn:fueki:aal1` … `aal3`, after NIST SP 800-63B-4.
    public let assurance: String

    /// Creates a session as its owner sees it.
    public init(
        id: SessionID, device: DeviceID, deviceName: String, isCurrent: Bool, created: Timestamp, lastUsed: Timestamp,
        expires: Timestamp, authenticated: Timestamp, assurance: String
    ) {
        self.id = id
        self.device = device
        self.deviceName = deviceName
        self.isCurrent = isCurrent
        self.created = created
        self.lastUsed = lastUsed
        self.expires = expires
        self.authenticated = authenticated
        self.assurance = assurance
    }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        id = try members.identifier("session_id")
        device = try members.identifier("device_id")
        deviceName = try members.text("device_name", characters: AuthLimits.nameCharacters)
        isCurrent = try members.bool("current")
        created = try members.time("created_at")
        lastUsed = try members.time("last_used_at")
        expires = try members.time("expires_at")
        authenticated = try members.time("auth_time")
        assurance = try members.text("acr", characters: 1...64)
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: [
            "session_id": JSON(id), "device_id": JSON(device), "device_name": .string(deviceName),
            "current": .bool(isCurrent), "created_at": JSON(created), "last_used_at": JSON(lastUsed),
            "expires_at": JSON(expires), "auth_time": JSON(authenticated), "acr": .string(assurance),
        ])
    }
}

/// `GET /api/auth/session`: the session of the request, and its account.
public struct CurrentSession: Equatable, Sendable {
    /// The account that is signed in.
    public let account: AccountID
    /// The name of the account.
    public let accountName: String
    /// The session of the request.
    public let session: SessionView
    /// The number of unused recovery codes.
    public let recoveryCodesLeft: Int64

    /// Creates a response.
    public init(account: AccountID, accountName: String, session: SessionView, recoveryCodesLeft: Int64) {
        self.account = account
        self.accountName = accountName
        self.session = session
        self.recoveryCodesLeft = recoveryCodesLeft
    }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        account = try members.identifier("account_id")
        accountName = try members.text("account_name", characters: AuthLimits.nameCharacters)
        session = try members.required("session") { value throws(MalformedAnswer) in try SessionView(value) }
        recoveryCodesLeft = try members.integer("recovery_codes_left")
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: [
            "account_id": JSON(account), "account_name": .string(accountName), "session": session.json,
            "recovery_codes_left": JSON(recoveryCodesLeft),
        ])
    }
}
