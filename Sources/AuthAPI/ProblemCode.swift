/// What can go wrong, as programs tell it apart: the member `code` of every problem. Codes are never renamed and never reused.
public enum ProblemCode: String, CaseIterable, Sendable {
    // The request.
    case malformedRequest = "malformed_request"
    case tooLarge = "too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case proxyRequired = "proxy_required"
    case clientUnnamed = "client_unnamed"
    // Who asks.
    case invalidClient = "invalid_client"
    case invalidToken = "invalid_token"
    case useDPoPNonce = "use_dpop_nonce"
    case invalidDPoPProof = "invalid_dpop_proof"
    case insufficientUserAuthentication = "insufficient_user_authentication"
    case rateLimited = "rate_limited"
    case deviceRevoked = "device_revoked"
    case accountLocked = "account_locked"
    // Sessions.
    case invalidGrant = "invalid_grant"
    case unsupportedGrantType = "unsupported_grant_type"
    // Passkeys.
    case challengeInvalid = "challenge_invalid"
    case challengeExpired = "challenge_expired"
    case challengeUsed = "challenge_used"
    case originNotAllowed = "origin_not_allowed"
    case userVerificationRequired = "user_verification_required"
    case passkeyRefused = "passkey_refused"
    case passkeyUnknown = "passkey_unknown"
    case passkeyExists = "passkey_exists"
    case passkeyLast = "passkey_last"
    case attestationRefused = "attestation_refused"
    case attestationUnsupported = "attestation_unsupported"
    case limitReached = "limit_reached"
    // New accounts.
    case signUpClosed = "sign_up_closed"
    case invitationRefused = "invitation_refused"
    // Recovery.
    case recoveryRefused = "recovery_refused"
    // The server.
    case unavailable = "unavailable"
    case internalError = "internal_error"

    /// The status of the answer, where the endpoint does not demand another one.
    public var status: Int {
        switch self {
        case .malformedRequest, .invalidGrant, .unsupportedGrantType, .challengeInvalid,
            .challengeExpired, .challengeUsed, .originNotAllowed, .userVerificationRequired, .passkeyRefused,
            .attestationRefused, .attestationUnsupported, .invitationRefused, .recoveryRefused, .deviceRevoked,
            .clientUnnamed, .accountLocked:
            400
        case .invalidClient, .invalidToken, .useDPoPNonce, .invalidDPoPProof, .insufficientUserAuthentication,
            .passkeyUnknown:
            401
        case .signUpClosed, .proxyRequired: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .passkeyExists, .passkeyLast, .limitReached: 409
        case .tooLarge: 413
        case .unsupportedMediaType: 415
        case .rateLimited: 429
        case .internalError: 500
        case .unavailable: 503
        }
    }

    /// The name that OAuth has for it (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750, RFC 9449, RFC 9470), and where it has none
    /// the code: the member `error` of every problem. Several codes share a name.
    public var oauthError: String {
        switch self {
        case .malformedRequest, .tooLarge, .unsupportedMediaType, .methodNotAllowed: "invalid_request"
        case .deviceRevoked: "invalid_grant"
        case .rateLimited, .unavailable: "temporarily_unavailable"
        case .internalError: "server_error"
        default: rawValue
        }
    }

    /// One sentence for people. It is the same for every occurrence, so that it tells nothing about one.
    public var title: String {
        switch self {
        case .malformedRequest: "The request is not well formed, or a member is missing or out of range."
        case .tooLarge: "The request is larger than this endpoint takes."
        case .unsupportedMediaType: "The content type is not the one that this endpoint takes."
        case .notFound: "There is nothing here, or nothing of yours."
        case .methodNotAllowed: "This address does not take that method."
        case .proxyRequired: "This server is reached through its proxy only."
        case .clientUnnamed: "The proxy did not name the client in X-Forwarded-For."
        case .invalidClient: "The client could not be told who it is."
        case .invalidToken: "The access token is missing, expired, revoked, or not for here."
        case .useDPoPNonce: "Use the nonce of this answer's DPoP-Nonce header in the proof, and ask again."
        case .invalidDPoPProof: "The DPoP proof is missing, used before, or not for this request."
        case .insufficientUserAuthentication: "This needs a sign-in that is more recent: authenticate again."
        case .rateLimited: "Too many requests: wait as long as Retry-After says. Keep your tokens."
        case .deviceRevoked: "This device was revoked: make a new key for it, and begin again."
        case .accountLocked: "This account is locked: ask the operator of the server."
        case .invalidGrant: "The refresh token is expired, revoked, or used before: sign in again."
        case .unsupportedGrantType: "This endpoint takes the grant type refresh_token."
        case .challengeInvalid: "The challenge is not one of this server, not for this purpose, or not for this device."
        case .challengeExpired: "The challenge has expired: begin again."
        case .challengeUsed: "The challenge was used before: begin again."
        case .originNotAllowed: "The passkey was used on a page that does not belong to this server."
        case .userVerificationRequired: "The passkey was used without verifying the person."
        case .passkeyRefused: "What the authenticator answered is not valid."
        case .passkeyUnknown: "There is no such passkey here."
        case .passkeyExists: "This passkey is registered already."
        case .passkeyLast: "The last passkey of an account cannot be removed."
        case .attestationRefused: "The attestation is not valid, or not one that this server accepts."
        case .attestationUnsupported: "Attestations of this platform are not understood here."
        case .limitReached: "There are as many of these as an account may have."
        case .signUpClosed: "This server takes no new accounts."
        case .invitationRefused:
            "A new account takes an invitation; this one is missing, wrong, expired or used before."
        case .recoveryRefused: "The recovery code is not valid, or was used before."
        case .unavailable: "The server cannot answer now. It may have done what was asked, or not: try again."
        case .internalError: "The server failed. It has been noted."
        }
    }
}
