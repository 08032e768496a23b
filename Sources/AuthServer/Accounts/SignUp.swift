internal import AuthAPI
internal import SQLStore

extension Backend {
    /// Checks that a new account may begin, before the authenticator makes a passkey for it. Nothing is used up by it.
    ///
    /// - Parameter invitation: as it was typed.
    func requireSignUp(_ invitation: String?, from address: ClientAddress) async throws {
        let now = clock()
        switch configuration.signUp {
        case .closed: throw Problem(.signUpClosed)
        case .open:
            let limits = configuration.limits
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
    func takeSignUp(
        _ invitation: String?, from address: ClientAddress, at now: Timestamp, in transaction: any Transaction
    ) throws -> Problem? {
        switch configuration.signUp {
        case .closed: return Problem(.signUpClosed)
        case .open:
            return try configuration.limits.take([.signUpFrom(address), .allSignUps], at: now, in: transaction)
        case .invitation:
            guard let code = invitation.flatMap(InvitationCode.init),
                try Invitations.use(code.hash, at: now, in: transaction)
            else { return Problem(.invitationRefused) }
            return nil
        }
    }
}
