package import AuthAPI
package import SQLStore

extension AuthTables {
    /// How many rows of two kinds a copy holds.
    package struct Counts: Equatable, Sendable {
        package let accounts: Int64
        package let sessions: Int64

        package init(accounts: Int64, sessions: Int64) {
            self.accounts = accounts
            self.sessions = sessions
        }
    }

    /// What a copy of the store holds.
    package static let contents = SQLiteBackup.Contents(migrations: migrations) { transaction throws(StoreError) in
        func count(_ sql: SQL) throws(StoreError) -> Int64 { try transaction.first(sql, [])?.integer(0) ?? 0 }
        return Counts(
            accounts: try count("SELECT count(*) FROM accounts"),
            sessions: try count("SELECT count(*) FROM refresh_tokens"))
    }

    /// Puts a copy of the store in the place of a store that is gone, and voids what may have been used or ended since the copy was
    /// made. See ``SQLiteBackup/restore(_:to:holding:changing:)``.
    package static func restore(
        _ copy: String, to path: String, at now: Timestamp
    ) async throws(StoreError) -> SQLiteBackup.Report<Counts> {
        try await SQLiteBackup.restore(copy, to: path, holding: contents) { transaction, applied throws(StoreError) in
            try voidUses(at: now, after: applied, in: transaction)
        }
    }

    /// Ends all sessions, and removes the invitations and the keys of challenges and proofs.
    ///
    /// Sessions that were ended after the copy was made would be alive again, and tokens that were rotated since would look
    /// stolen. So all sessions are ended, and with them their access tokens: everybody signs in again. A session that began
    /// after the copy was made is not known, and its tokens are refused for that.
    ///
    /// Of challenges and proofs, which are used once, the copy does not know which were used after it was made. So the keys that
    /// make them go too, and the next start makes new ones.
    ///
    /// So it is with invitations: one that was used since would be good again. All are removed.
    ///
    /// - Parameter applied: how many migrations have run on the copy.
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
