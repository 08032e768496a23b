internal import AuthAPI
internal import SQLStore

/// Admits new accounts: of everyone, with an invitation, or none.
struct SignUpAdmission: Sendable {
    let rule: ServerConfiguration.SignUp
    let limits: ServerConfiguration.LimitSettings
    let database: any Database
    let clock: @Sendable () -> Timestamp

    /// Checks that a new account may begin, before the authenticator makes a passkey for it. Nothing is used up by it.
    ///
    /// - Parameter invitation: as it was typed.
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

    /// Uses up what a new account takes: an invitation, or one of the accounts that may be made in this minute.
    ///
    /// - Returns: what to answer if there is none.
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
