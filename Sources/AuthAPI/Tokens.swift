public import Encoding
public import Time

/// The tokens after a sign-in or a refresh (RFC 6749 section 5.1, with DPoP: RFC 9449 section 5).
public struct TokenResponse: Equatable, Sendable {
    /// The access token: a JWT, valid for `expiresIn` seconds, only with proofs of this device's key. Keep it in
    /// memory.
    public let accessToken: String
    /// The lifetime of the access token in seconds.
    public let expiresIn: Int64
    /// The refresh token. Keep it sealed, and replace it by that of the next response. Nil after a step-up: the
    /// session's token stays.
    public let refreshToken: String?
    /// The time when the session ends, however often it is renewed.
    public let sessionExpires: Timestamp
    /// The account that is signed in.
    public let account: AccountID
    /// The session that was begun or continued.
    public let session: SessionID
    /// The device that the tokens are bound to.
    public let device: DeviceID
    /// The scopes that the access token has, separated by blanks.
    public let scope: String

    /// Creates a response.
    public init(
        accessToken: String, expiresIn: Int64, refreshToken: String?, sessionExpires: Timestamp, account: AccountID,
        session: SessionID, device: DeviceID, scope: String
    ) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.sessionExpires = sessionExpires
        self.account = account
        self.session = session
        self.device = device
        self.scope = scope
    }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        // Another type of token would be used without a proof.
        guard try members.text("token_type", characters: 1...16) == "DPoP" else {
            throw MalformedAnswer(member: "token_type")
        }
        accessToken = try members.text("access_token", characters: 1...4096)
        expiresIn = try members.integer("expires_in")
        guard AuthLimits.accessTokenSeconds.contains(expiresIn) else { throw MalformedAnswer(member: "expires_in") }
        refreshToken = try members.optionalText("refresh_token", characters: AuthLimits.tokenCharacters)
        sessionExpires = try members.time("session_expires_at")
        account = try members.identifier("account_id")
        session = try members.identifier("session_id")
        device = try members.identifier("device_id")
        scope = try members.text("scope", characters: 0...512)
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: [
            "token_type": "DPoP", "access_token": .string(accessToken), "expires_in": JSON(expiresIn),
            "refresh_token": refreshToken.map(JSON.string), "session_expires_at": JSON(sessionExpires),
            "account_id": JSON(account), "session_id": JSON(session), "device_id": JSON(device),
            "scope": .string(scope),
        ])
    }
}

/// `POST /api/auth/token/validate`: exchanges a refresh token for new tokens.
public struct TokenValidation: Equatable, Sendable {
    /// The refresh token that the client has.
    public let refreshToken: String

    /// Creates a request.
    public init(refreshToken: String) { self.refreshToken = refreshToken }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        refreshToken = try RequestMembers(json).text("refresh_token", characters: AuthLimits.tokenCharacters)
    }

    /// The object as it is sent.
    public var json: JSON { ["refresh_token": .string(refreshToken)] }
}
