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
        case text, header, payload, signature, key, keySet, thumbprint, url, scope, refreshToken, rotations
    }

    /// The claims that are checked, of access tokens and of proofs.
    public enum Claim: String, Sendable {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case expiry = "exp"
        case issuedAt = "iat"
        case identifier = "jti"
        case client = "client_id"
        case session = "sid"
        case confirmation = "cnf"
        case authenticationTime = "auth_time"
        case authenticationContext = "acr"
        case authenticationMethods = "amr"
        case scope
        case method = "htm"
        case url = "htu"
        case accessTokenHash = "ath"
        case nonce
    }
}
