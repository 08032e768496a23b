package import AuthAPI

/// All that the store holds of an account: for its export, and to erase it.
package struct AccountRecords: Equatable, Sendable {
    package let account: AccountRow
    package let passkeys: [PasskeyRow]
    package let devices: [DeviceRow]
    /// Without the hashes of tokens: they would be of use to an attacker only.
    package let sessions: [SessionRow]
    package let attestations: [DeviceAttestationRow]
    package let unusedRecoveryCodes: Int
    package let events: [SecurityEventRow]

    /// Events that an export holds at most: the last ones.
    static let eventLimit = 10_000

    /// Nil if there is no such account.
    package static func export(
        _ id: AccountID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> AccountRecords? {
        guard let account = try Accounts.find(id, sealer: sealer, in: transaction) else { return nil }
        return AccountRecords(
            account: account, passkeys: try Passkeys.all(of: id, sealer: sealer, in: transaction),
            devices: try Devices.all(of: id, sealer: sealer, in: transaction),
            sessions: try Sessions.all(of: id, in: transaction).map { session in
                var session = session
                session.currentHash = []
                session.recent = []
                return session
            },
            attestations: try DeviceAttestations.all(of: id, sealer: sealer, in: transaction),
            unusedRecoveryCodes: try RecoveryCodes.unused(of: id, in: transaction),
            events: try SecurityEvents.last(of: id, limit: eventLimit, sealer: sealer, in: transaction))
    }

    /// Removes everything of an account. Returns whether there was one.
    ///
    /// What stays, because it leads to nobody: that an event of some kind happened at some time, without the account and
    /// the details; hashes of used challenges and proofs, ids of revoked access tokens, and hashed buckets of limits, until each expires.
    package static func erase(_ id: AccountID, in transaction: some Transaction) throws(StoreError) -> Bool {
        try transaction.change(
            "UPDATE security_events SET account_id = NULL, details_sealed = NULL WHERE account_id = $1", [.id(id)])
        // The tables say that everything that points at an account goes with it: also what another transaction adds at this moment,
        // which removing it table by table would miss.
        return try transaction.change("DELETE FROM accounts WHERE account_id = $1", [.id(id)]) == 1
    }
}
