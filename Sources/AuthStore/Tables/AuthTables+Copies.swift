package import SQLStore
package import Time

extension AuthTables {
    /// The number of rows of two kinds in a copy.
    package struct Counts: Equatable, Sendable {
        package let accounts: Int64
        package let sessions: Int64

        package init(accounts: Int64, sessions: Int64) {
            self.accounts = accounts
            self.sessions = sessions
        }
    }

    /// The contents of a copy of the store.
    package static let contents = SQLiteBackup.Contents(migrations: migrations) { transaction throws(StoreError) in
        func count(_ sql: SQL) throws(StoreError) -> Int64 { try transaction.first(sql, [])?.integer(0) ?? 0 }
        return Counts(
            accounts: try count("SELECT count(*) FROM accounts"),
            sessions: try count("SELECT count(*) FROM refresh_tokens"))
    }

    /// Restores a copy to the place of a lost store, and voids all values that may have been used or ended since the
    /// copy was made. See ``SQLiteBackup/restore(_:to:holding:changing:)``.
    package static func restore(
        _ copy: String, to path: String, at now: Timestamp
    ) async throws(StoreError) -> SQLiteBackup.Report<Counts> {
        try await SQLiteBackup.restore(copy, to: path, holding: contents) { transaction, applied throws(StoreError) in
            try voidUses(at: now, after: applied, in: transaction)
        }
    }

    /// Ends all sessions, and removes the invitations and the keys of challenges and proofs.
    ///
    /// Sessions that were ended after the copy was made would become active again, and tokens that were rotated since
    /// would look stolen. So all sessions are ended, with their access tokens, and every user signs in again. The copy
    /// does not contain sessions that began after it was made, so their tokens are refused.
    ///
    /// The copy does not show which challenges and proofs, which are valid once, were used after it was made. So the
    /// keys that make them are removed too, and the next start makes new ones.
    ///
    /// An invitation that was used since would be valid again. So all invitations are removed.
    ///
    /// - Parameter applied: the number of migrations that have run on the copy.
    private static func voidUses(
        at now: Timestamp, after applied: Int, in transaction: some Transaction
    ) throws(StoreError) {
        try Sessions.revokeAll(at: now, reason: "restored", in: transaction)
        if migrations.prefix(applied).contains(where: { $0.digest == Migration.invitations.digest }) {
            try Invitations.removeAll(in: transaction)
        }
        for purpose in [KeyPurpose.challenge, .proofNonce] {
            try ServerKeys.removeAll(purpose: purpose.rawValue, in: transaction)
        }
    }
}
