/// The kinds of errors, for programs: the member `code` of every problem. Codes are never renamed and never reused.
public enum ProblemCode: String, CaseIterable, Sendable {
    // The request.
    /// The request cannot be read.
    case malformedRequest = "malformed_request"
    /// The body is larger than its limit.
    case tooLarge = "too_large"
    /// The body has another media type than the one expected.
    case unsupportedMediaType = "unsupported_media_type"
    /// The path or object does not exist.
    case notFound = "not_found"
    /// The path does not take this method.
    case methodNotAllowed = "method_not_allowed"
    /// The request did not come through the configured proxy.
    case proxyRequired = "proxy_required"
    /// The proxy did not name the address of the client.
    case clientUnnamed = "client_unnamed"
    // The client.
    /// The client did not authenticate itself (RFC 6749, section 5.2).
    case invalidClient = "invalid_client"
    /// The access token is not valid (RFC 6750, section 3.1).
    case invalidToken = "invalid_token"
    /// The proof needs the nonce that comes with this answer (RFC 9449, section 8).
    case useDPoPNonce = "use_dpop_nonce"
    /// The DPoP proof is not valid (RFC 9449, section 5).
    case invalidDPoPProof = "invalid_dpop_proof"
    /// The user must authenticate again (RFC 9470).
    case insufficientUserAuthentication = "insufficient_user_authentication"
    /// Too many requests: try again after ``Problem/retryAfter`` seconds.
    case rateLimited = "rate_limited"
    /// The device was revoked by the owner of the account.
    case deviceRevoked = "device_revoked"
    /// The account is locked by the operator.
    case accountLocked = "account_locked"
    // Sessions.
    /// The refresh token or credential is no longer valid: sign in again (RFC 6749, section 5.2).
    case invalidGrant = "invalid_grant"
    /// The grant type is not supported (RFC 6749, section 5.2).
    case unsupportedGrantType = "unsupported_grant_type"
    // Passkeys.
    /// The challenge was not issued by this server, or for another purpose.
    case challengeInvalid = "challenge_invalid"
    /// The challenge is too old.
    case challengeExpired = "challenge_expired"
    /// The challenge was answered before.
    case challengeUsed = "challenge_used"
    /// The page's origin is not one of the relying party's.
    case originNotAllowed = "origin_not_allowed"
    /// The authenticator did not verify the user.
    case userVerificationRequired = "user_verification_required"
    /// The answer of the authenticator is not valid, or the passkey is not registered.
    case passkeyRefused = "passkey_refused"
    /// The passkey is not registered. Servers no longer send it: they answer with ``passkeyRefused``, which does not tell
    /// strangers whether a passkey is registered.
    case passkeyUnknown = "passkey_unknown"
    /// The passkey is registered already.
    case passkeyExists = "passkey_exists"
    /// The last passkey of an account cannot be removed.
    case passkeyLast = "passkey_last"
    /// The attestation is not accepted by the policy.
    case attestationRefused = "attestation_refused"
    /// The server accepts no attestation of this platform.
    case attestationUnsupported = "attestation_unsupported"
    /// The account has as many objects of this kind as it may have.
    case limitReached = "limit_reached"
    // New accounts.
    /// The server takes no new accounts.
    case signUpClosed = "sign_up_closed"
    /// The invitation is not valid.
    case invitationRefused = "invitation_refused"
    // Recovery.
    /// The recovery code is not valid.
    case recoveryRefused = "recovery_refused"
    // The server.
    /// The server cannot answer now.
    case unavailable = "unavailable"
    /// The server failed.
    case internalError = "internal_error"

    /// The default status of the response; an endpoint may use another one.
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

    /// The member `error` of every problem: OAuth's name for it (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750, RFC 9449,
    /// RFC 9470), or the code if OAuth has none. Several codes share a name.
    public var oauthError: String {
        switch self {
        case .malformedRequest, .tooLarge, .unsupportedMediaType, .methodNotAllowed: "invalid_request"
        case .deviceRevoked: "invalid_grant"
        case .rateLimited, .unavailable: "temporarily_unavailable"
        case .internalError: "server_error"
        default: rawValue
        }
    }

    /// The problem as one sentence for people, the same at every occurrence, so that it reveals nothing about one.
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
        case .passkeyUnknown: "The server does not know this passkey."
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
