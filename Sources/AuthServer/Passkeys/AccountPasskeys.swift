internal import AuthAPI
internal import AuthStore
internal import SQLStore

/// An account with its passkeys, as read from the store.
struct AccountPasskeys: Sendable {
    let account: AccountRow
    let passkeys: [PasskeyRow]

    /// Reads an account.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/invalidToken`` if the account does not exist.
    static func read(
        _ id: AccountID, sealer: ColumnSealer, from database: any Database
    ) async throws -> AccountPasskeys {
        try await database.read { transaction in
            guard let account = try Accounts.find(id, sealer: sealer, in: transaction) else {
                throw Problem(.invalidToken)
            }
            return AccountPasskeys(
                account: account, passkeys: try Passkeys.all(of: id, sealer: sealer, in: transaction))
        }
    }
}
