internal import AuthAPI
internal import WebAuthn

extension WebAuthnError {
    /// The problem that the client receives. Which check failed in detail would help attackers only.
    var problem: Problem {
        switch self {
        case .wrongOrigin, .crossOriginRefused, .wrongTopOrigin, .wrongRelyingParty, .foreignOrigin:
            Problem(.originNotAllowed)
        case .userNotVerified: Problem(.userVerificationRequired)
        case .attestation, .attestationRefused, .unsupportedAttestationFormat: Problem(.attestationRefused)
        case .malformed: Problem(.malformedRequest)
        case .wrongChallenge: Problem(.challengeInvalid)
        case .wrongType, .unsupportedAlgorithm, .userNotPresent, .inconsistentBackupFlags, .backupEligibilityChanged,
            .algorithmNotOffered, .badSignature, .credentialNotAllowed, .wrongCredential, .wrongUser,
            .missingUserHandle, .credentialExcluded:
            Problem(.passkeyRefused)
        }
    }
}

extension WebAuthnError {
    /// The word for the check that refused a sign-in: for the operator, in events and in the log. The client never receives
    /// it.
    var refusal: String {
        switch self {
        case .badSignature: "bad_signature"
        case .backupEligibilityChanged: "backup_eligibility"
        case .inconsistentBackupFlags: "backup_flags"
        case .userNotPresent: "user_not_present"
        case .wrongUser: "wrong_user"
        case .missingUserHandle: "missing_user_handle"
        case .wrongCredential, .credentialNotAllowed, .credentialExcluded: "wrong_credential"
        case .wrongType: "wrong_type"
        case .unsupportedAlgorithm, .algorithmNotOffered: "wrong_algorithm"
        case .wrongRelyingParty: "wrong_relying_party"
        case .crossOriginRefused, .wrongTopOrigin: "cross_origin"
        default: problem.code.rawValue
        }
    }
}

/// Runs a step of WebAuthn, and converts its error to a problem.
func ceremony<Value>(_ body: () throws(WebAuthnError) -> Value) throws(Problem) -> Value {
    do { return try body() } catch { throw error.problem }
}
