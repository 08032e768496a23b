internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import ServerHTTP
internal import Time

/// Admits new accounts by the setting `sign_up`: all, those with an invitation, or none.
struct SignUpAdmission: Sendable {
    let rule: ServerConfiguration.SignUp
    let limits: ServerConfiguration.LimitSettings
    let database: any Database
    let clock: @Sendable () -> Timestamp

    /// Checks that a person may make an account, before the authenticator makes a passkey for it. The check uses up no
    /// invitation and no limit.
    ///
    /// - Parameter invitation: the code that the person typed.
    func require(_ invitation: String?, from address: ClientAddress) async throws {
        let now = clock()
        switch rule {
        case .closed: throw Problem(.signUpClosed)
        case .open:
            let problem = try await database.read { transaction in
                try limits.wait(for: [.signUpFrom(address), .allSignUps], at: now, in: transaction)
            }
            if let problem { throw problem }
        case .invitation:
            guard let code = invitation.flatMap(InvitationCode.init),
                try await database.read({ try Invitations.contains(code.hash, at: now, in: $0) })
            else { throw Problem(.invitationRefused) }
        }
    }

    /// Uses up an invitation, or one of the new accounts that the limit allows in this minute.
    ///
    /// - Returns: the problem to answer with if the account is refused; else nil.
    func take(
        _ invitation: String?, from address: ClientAddress, at now: Timestamp, in transaction: any Transaction
    ) throws -> Problem? {
        switch rule {
        case .closed: return Problem(.signUpClosed)
        case .open:
            return try limits.take([.signUpFrom(address), .allSignUps], at: now, in: transaction)
        case .invitation:
            guard let code = invitation.flatMap(InvitationCode.init),
                try Invitations.use(code.hash, at: now, in: transaction)
            else { return Problem(.invitationRefused) }
            return nil
        }
    }
}
