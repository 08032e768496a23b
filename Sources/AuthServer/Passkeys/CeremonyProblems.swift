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

/// Runs a step of WebAuthn, and converts its error to a problem.
func ceremony<Value>(_ body: () throws(WebAuthnError) -> Value) throws(Problem) -> Value {
    do { return try body() } catch { throw error.problem }
}
