internal import AuthStore
package import SQLStore
internal import Tokens

extension PasskeyRow {
    /// Corrects what the sessions that were signed in with this passkey record about its key. Their next access tokens
    /// show the correction.
    package func judgeSessions(in transaction: some Transaction) throws {
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
}
