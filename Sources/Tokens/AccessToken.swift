public import AuthAPI
internal import Encoding
public import Secrets

/// What an ``AccessTokenID`` names.
public enum AccessTokenNaming: Sendable {}
/// Names one access token (`jti`), so that it can be revoked before it expires.
public typealias AccessTokenID = Identifier<AccessTokenNaming>

/// The claims of an access token: a JWT of the profile of RFC 9068, bound to a device's key (RFC 9449 section 6.1).
public struct AccessToken: Sendable, Equatable {
    /// 15 minutes.
    public static let lifetime = Timestamp.Span.minutes(15)
    /// `typ`
    static let type = "at+jwt"

    /// `iss`: the server's URL, character for character as in its metadata.
    public let issuer: String
    /// `aud`: whom the token is for.
    public let audience: String
    /// `client_id`
    public let client: String
    /// `sub`
    public let account: AccountID
    /// `sid`: the family of refresh tokens.
    public let session: SessionID
    /// `cnf.jkt`: the key whose proofs make the token worth anything.
    public let device: KeyThumbprint
    /// `acr`, `amr` and `auth_time`
    public let authentication: AuthenticationContext
    /// `scope`
    public let scope: Scope
    /// `jti`
    public let id: AccessTokenID
    /// `iat`, in whole seconds.
    public let issuedAt: Timestamp
    /// `exp`, in whole seconds: from then on the token is worth nothing.
    public let expiresAt: Timestamp

    /// A new token: with an id of its own, and up to a twentieth less of a lifetime, so that the sessions of a restart do not
    /// come back to be refreshed in the same second.
    ///
    /// - Parameter lifetime: the longest, which should be ``lifetime``.
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
        // Rounded down: the span of a second that `iat` loses is not given back at the end.
        let jitter = Int64(drawn % UInt64(max(lifetime.milliseconds / 20, 0) + 1))
        expiresAt = Timestamp(
            seconds: issuedAt.adding(Timestamp.Span(milliseconds: lifetime.milliseconds - jitter)).seconds)
    }

    /// The token as text, some 700 characters.
    public func signed(by key: SigningKey) -> String {
        CompactJWS.sign(encodedHeader: key.accessTokenHeader, payload: claims.encoded, by: key)
    }

    /// The header of all tokens that a key signs, in base64url.
    static func encodedHeader(of key: PublicJWK) -> [UInt8] {
        let header: JSON = [
            "alg": "ES256", "typ": .string(type), "kid": .string(key.thumbprint.description),
        ]
        return Base64URL.characters(of: header.encoded)
    }

    /// RFC 9068 section 2.2
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

    /// Reads claims. Whether they are to be believed is the signature's matter.
    init(_ claims: JSON.Object) throws(TokensError) {
        issuer = try claims.text(.issuer)
        account = try claims.identifier(.subject)
        // RFC 7519 section 4.1.3 allows a list; a token for several is not one of ours.
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
