internal import AuthAPI
internal import WebAuthn

extension WebAuthnError {
    /// What the client is told. Which check failed in detail is of use to attackers only.
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

/// Runs a step of WebAuthn, with its error as a problem.
func ceremony<Value>(_ body: () throws(WebAuthnError) -> Value) throws(Problem) -> Value {
    do { return try body() } catch { throw error.problem }
}
