public import AuthAPI
internal import Encoding
public import Secrets
public import Time

/// The type parameter of ``AccessTokenID``.
public enum AccessTokenNaming: Sendable {}
/// The identifier of one access token (`jti`), so that it can be revoked before it expires.
public typealias AccessTokenID = Identifier<AccessTokenNaming>

/// The claims of an access token: a JWT of the profile of RFC 9068, bound to a device's key (RFC 9449 section 6.1).
public struct AccessToken: Sendable, Equatable {
    /// The usual lifetime: 15 minutes.
    public static let lifetime = Timestamp.Span.minutes(15)
    /// The value of `typ`.
    static let type = "at+jwt"

    /// The server's URL, character for character as in its metadata (`iss`).
    public let issuer: String
    /// The recipient of the token (`aud`).
    public let audience: String
    /// The client (`client_id`).
    public let client: String
    /// The account (`sub`).
    public let account: AccountID
    /// The session: the family of refresh tokens (`sid`).
    public let session: SessionID
    /// The device key whose proofs the token needs (`cnf.jkt`).
    public let device: KeyThumbprint
    /// The sign-in: `acr`, `amr` and `auth_time`.
    public let authentication: AuthenticationContext
    /// The scope (`scope`).
    public let scope: Scope
    /// The token's identifier (`jti`).
    public let id: AccessTokenID
    /// The time of issue (`iat`), in whole seconds.
    public let issuedAt: Timestamp
    /// The time of expiry (`exp`), in whole seconds.
    public let expiresAt: Timestamp

    /// Creates a token with a new identifier. Its lifetime is randomly up to a twentieth shorter, so that the sessions
    /// of a restart are not all refreshed in the same second.
    ///
    /// - Parameter lifetime: the longest lifetime, which should be ``lifetime``.
    public init(
        issuer: String, audience: String, client: String, account: AccountID, session: SessionID, device: KeyThumbprint,
        authentication: AuthenticationContext, scope: Scope, now: Timestamp, lifetime: Timestamp.Span,
        random: some RandomSource
    ) {
        // 16 bytes for the id, 8 for the jitter.
        let bytes = random.publicBytes(count: 24)
        guard let id = AccessTokenID(bytes: Array(bytes.prefix(16))) else { preconditionFailure("16 bytes are an id") }
        self.issuer = issuer
        self.audience = audience
        self.client = client
        self.account = account
        self.session = session
        self.device = device
        self.authentication = authentication
        self.scope = scope
        self.id = id
        issuedAt = Timestamp(seconds: now.seconds)
        let drawn = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Rounded down: the fraction of a second that `iat` loses is not added at the end.
        let jitter = Int64(drawn % UInt64(max(lifetime.milliseconds / 20, 0) + 1))
        expiresAt = Timestamp(
            seconds: issuedAt.adding(Timestamp.Span(milliseconds: lifetime.milliseconds - jitter)).seconds)
    }

    /// Returns the token as text, some 700 characters.
    public func signed(by key: SigningKey) -> String {
        CompactJWS.sign(encodedHeader: key.accessTokenHeader, payload: claims.encoded, by: key)
    }

    /// Returns the header of all tokens that a key signs, in base64url.
    static func encodedHeader(of key: PublicJWK) -> [UInt8] {
        let header: JSON = [
            "alg": "ES256", "typ": .string(type), "kid": .string(key.thumbprint.description),
        ]
        return Base64URL.characters(of: header.encoded)
    }

    /// The claims (RFC 9068 section 2.2).
    private var claims: JSON {
        [
            "iss": .string(issuer),
            "sub": .string(account.description),
            "aud": .string(audience),
            "exp": JSON(expiresAt.seconds),
            "iat": JSON(issuedAt.seconds),
            "jti": .string(id.description),
            "client_id": .string(client),
            "sid": .string(session.description),
            "cnf": ["jkt": .string(device.description)],
            "auth_time": JSON(authentication.authenticatedAt.seconds),
            "acr": .string(authentication.assurance.rawValue),
            "amr": .array(authentication.methods.map { .string($0.rawValue) }),
            "scope": .string(scope.description),
        ]
    }

    /// Reads claims. The signature decides whether they can be trusted.
    init(_ claims: JSON.Object) throws(TokensError) {
        issuer = try claims.text(.issuer)
        account = try claims.identifier(.subject)
        // RFC 7519 section 4.1.3 allows a list; this server issues no token for several recipients.
        audience = try claims.text(.audience)
        expiresAt = try claims.time(.expiry)
        issuedAt = try claims.time(.issuedAt)
        id = try claims.identifier(.identifier)
        client = try claims.text(.client)
        session = try claims.identifier(.session)
        guard let jkt = claims["cnf"]?["jkt"]?.string, let device = try? KeyThumbprint(jkt) else {
            throw .wrongClaim(.confirmation)
        }
        self.device = device
        guard let assurance = AuthenticationContext.Assurance(rawValue: try claims.text(.authenticationContext)) else {
            throw .wrongClaim(.authenticationContext)
        }
        guard let names = claims["amr"]?.array else { throw .wrongClaim(.authenticationMethods) }
        let methods = names.compactMap { $0.string.flatMap(AuthenticationContext.Method.init(rawValue:)) }
        guard methods.count == names.count,
            let authentication = AuthenticationContext(
                assurance: assurance, methods: methods, authenticatedAt: try claims.time(.authenticationTime))
        else { throw .wrongClaim(.authenticationMethods) }
        self.authentication = authentication
        guard let scope = try? Scope(try claims.text(.scope)) else { throw .wrongClaim(.scope) }
        self.scope = scope
    }
}
