internal import AuthStore
internal import SQLStore
internal import Time
internal import Tokens
internal import WebAuthn

extension PasskeyRow {
    /// Corrects what the sessions that were signed in with this passkey record about its key. Their next access tokens
    /// show the correction.
    func judgeSessions(in transaction: some Transaction) throws {
        let storage =
            isBackupEligible ? .software : AuthenticationContext.KeyStorage(protection, trust: trust)
        for session in try Sessions.authentications(with: credentialID, of: account, in: transaction) {
            let known = try AuthenticationContext(
                acr: session.acr, amr: session.amr, authenticatedAt: session.authTime)
            let judged = known.judged(keyStorage: storage, isUserVerificationTrusted: trust != .compromised)
            guard judged != known else { continue }
            try Sessions.judge(
                session.id, with: credentialID, at: session.authTime, acr: judged.acr, amr: judged.amr,
                in: transaction)
        }
    }

    /// Returns the passkey with the results of a verdict; the same passkey if nothing has changed.
    func judged(_ verdict: AttestationVerdict, at now: Timestamp) -> PasskeyRow {
        var judged = self
        judged.attestationTrust = verdict.trust.rawValue
        judged.keyProtection = verdict.protection.place.rawValue
        judged.keyEvidence = verdict.protection.evidence.rawValue
        judged.trustLostAt =
            switch verdict.trust {
            // Only a passkey with a trusted attestation can lose trust, unless its model is broken.
            case .anchored, .none, .selfSigned: nil
            case .compromised: trustLostAt ?? now
            case .untrusted: trust == .anchored ? now : trustLostAt
            }
        return judged
    }
}
