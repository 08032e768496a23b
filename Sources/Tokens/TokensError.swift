/// What is wrong with a token, a proof or a key. No case carries any of its text.
public enum TokensError: Error, Equatable, Sendable {
    /// Longer than this program reads.
    case tooLong(limit: Int)
    /// Not in the form that it has to have.
    case malformed(Part)
    /// Signed with, or made for, anything but ES256.
    case wrongAlgorithm
    /// A token of another kind: its `typ` is not the one asked for.
    case wrongType
    /// The header has an extension, or tells where to find a key.
    case forbiddenHeader
    /// A key that is not an elliptic curve key of P-256, is no point of it, or is for another use.
    case unsupportedKey
    /// A private key where a public one belongs: whoever sent it has given it away.
    case privateKey
    /// No key has the id that the header names.
    case unknownKey
    /// The signature is not by this key over these bytes.
    case badSignature
    /// A claim is missing, is of another type, or is not what it has to be.
    case wrongClaim(Claim)
    /// The token has expired.
    case expired
    /// The proof has no nonce, or none that this server accepts at this time (`use_dpop_nonce`).
    case nonceRequired
    /// The proof is too old, or from the future.
    case untimely
    /// The refresh token was not made by this server, or its key is gone.
    case badTag
    /// What a row says of its rotations was changed by somebody who could not have written it.
    case damaged

    /// What was to be read.
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

    /// The claims that are checked, of access tokens and of proofs.
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
        /// What the token permits (RFC 8693, section 4.2).
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
