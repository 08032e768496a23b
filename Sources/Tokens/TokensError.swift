/// An error in a token, a proof or a key. No case contains any of its text.
public enum TokensError: Error, Equatable, Sendable {
    /// The input is longer than this library reads.
    case tooLong(limit: Int)
    /// The input does not have the required form.
    case malformed(Part)
    /// The signature or the key has an algorithm other than ES256.
    case wrongAlgorithm
    /// The token is of another kind: its `typ` is not the expected one.
    case wrongType
    /// The header has an extension, or says where to find a key.
    case forbiddenHeader
    /// The key is not an elliptic-curve key of P-256, is not a point of it, or has another use.
    case unsupportedKey
    /// A private key was sent in place of a public one, and is compromised.
    case privateKey
    /// No key has the id that the header names.
    case unknownKey
    /// The signature is not by this key over these bytes.
    case badSignature
    /// A claim is missing, has another type, or has a wrong value.
    case wrongClaim(Claim)
    /// The token has expired.
    case expired
    /// The proof has no nonce, or none that this server accepts at this time (`use_dpop_nonce`).
    case nonceRequired
    /// The proof is too old, or from the future.
    case untimely
    /// The refresh token was not made by this server, or its key no longer exists.
    case badTag
    /// The row's record of rotations was changed without the server's keys.
    case damaged

    /// The part that does not have the required form.
    public enum Part: Equatable, Sendable {
        /// The text of a token.
        case text
        /// The header of a token.
        case header
        /// The claims of a token.
        case payload
        /// The signature of a token.
        case signature
        /// A public key.
        case key
        /// A set of public keys.
        case keySet
        /// The thumbprint of a key.
        case thumbprint
        /// The URL of a proof.
        case url
        /// A scope.
        case scope
        /// A refresh token.
        case refreshToken
        /// The stored rotations of a family.
        case rotations
    }

    /// The checked claims of access tokens and proofs.
    public enum Claim: String, Sendable {
        /// The issuer (RFC 7519, section 4.1.1).
        case issuer = "iss"
        /// The account (RFC 7519, section 4.1.2).
        case subject = "sub"
        /// The recipient (RFC 7519, section 4.1.3).
        case audience = "aud"
        /// The time of expiry (RFC 7519, section 4.1.4).
        case expiry = "exp"
        /// The time of issue (RFC 7519, section 4.1.6).
        case issuedAt = "iat"
        /// The identifier of the token (RFC 7519, section 4.1.7).
        case identifier = "jti"
        /// The client (RFC 8693, section 4.3).
        case client = "client_id"
        /// The session (OpenID Connect Front-Channel Logout, section 3).
        case session = "sid"
        /// The thumbprint of the device key (RFC 7800, section 3.1).
        case confirmation = "cnf"
        /// The time of authentication (RFC 9068, section 2.2.1).
        case authenticationTime = "auth_time"
        /// The level of authentication (RFC 9068, section 2.2.1).
        case authenticationContext = "acr"
        /// The methods of authentication (RFC 9068, section 2.2.1).
        case authenticationMethods = "amr"
        /// The permissions of the token (RFC 8693, section 4.2).
        case scope
        /// The method of the request (RFC 9449, section 4.2).
        case method = "htm"
        /// The URL of the request (RFC 9449, section 4.2).
        case url = "htu"
        /// The hash of the access token (RFC 9449, section 4.2).
        case accessTokenHash = "ath"
        /// The server's nonce (RFC 9449, section 4.2).
        case nonce
    }
}
