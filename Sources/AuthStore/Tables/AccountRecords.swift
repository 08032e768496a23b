package import AuthAPI
package import SQLStore

/// All data of an account in the store, for its export.
package struct AccountRecords: Equatable, Sendable {
    package let account: AccountRow
    package let passkeys: [PasskeyRow]
    package let devices: [DeviceRow]
    /// The sessions, without the hashes of tokens: those would help attackers only.
    package let sessions: [SessionRow]
    package let attestations: [DeviceAttestationRow]
    package let unusedRecoveryCodes: Int
    package fileprivate(set) var events: [SecurityEventRow]

    /// Reads all data of an account in short read-only transactions, so that no other account waits. A value that
    /// changes meanwhile is exported as it was before, or as it is after.
    ///
    /// - Returns: nil if the account does not exist.
    package static func export(
        _ id: AccountID, sealer: ColumnSealer, from database: some Database
    ) async throws -> AccountRecords? {
        let records: AccountRecords? = try await database.read { transaction in
            guard let account = try Accounts.find(id, sealer: sealer, in: transaction) else { return nil }
            let limit = StoreLimits.rowsAtOnce
            return AccountRecords(
                account: account, passkeys: try Passkeys.all(of: id, sealer: sealer, in: transaction),
                devices: try Devices.last(of: id, limit: limit, sealer: sealer, in: transaction),
                sessions: try Sessions.last(of: id, limit: limit, in: transaction).map { session in
                    var session = session
                    session.currentHash = []
                    session.recent = []
                    return session
                },
                attestations: try DeviceAttestations.all(of: id, sealer: sealer, in: transaction),
                unusedRecoveryCodes: try RecoveryCodes.unused(of: id, in: transaction), events: [])
        }
        guard var records else { return nil }
        var mark = SecurityEvents.Mark.newest
        while true {
            let page = try await database.read { [mark] in
                try SecurityEvents.page(
                    of: id, after: mark, limit: Int(StoreLimits.rowsAtOnce), sealer: sealer, in: $0)
            }
            records.events += page
            guard let last = page.last else { return records }
            mark = SecurityEvents.Mark(at: last.at, id: last.id)
        }
    }

    /// Removes all data of an account. Returns whether it existed.
    ///
    /// Data that lead to no person stay: that an event of some kind happened at some time, without the account and the
    /// details; and, until they expire, hashes of used challenges and proofs, ids of revoked access tokens, and hashed
    /// buckets of limits.
    package static func erase(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Bool {
        while try SecurityEvents.anonymise(of: id, in: transaction) >= Int(StoreLimits.rowsAtOnce) {}
        // By the tables' foreign keys the rows that refer to an account are deleted with it. This includes rows that
        // another transaction adds at the same time, which a removal table by table would miss.
        return try transaction.change("DELETE FROM accounts WHERE account_id = $1", [.id(id)]) == 1
    }
}
