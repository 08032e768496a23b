/// Seals every column anew with the newest key, so that an older key can be given up.
package enum Resealing {
    /// A sealed column: the rows after one, and how one is changed.
    private struct Column: Sendable {
        let table: StaticString
        let column: StaticString
        let next: SQL
        let change: SQL
    }

    /// - Returns: how many values were sealed anew. When it returns 0, no value needs an older key: unless another server still
    ///   seals with one.
    /// - Throws: ``StoreError/unknownSealingKey(_:)``, ``StoreError/sealIsBroken``: what was done until then stays done.
    package static func run(_ database: some Database, sealer: ColumnSealer) async throws -> Int {
        var count = 0
        for column in columns {
            var last: [UInt8]? = []
            while let after = last {
                let (changed, next) = try await database.write { transaction in
                    try step(column, after: after, sealer: sealer, in: transaction)
                }
                count += changed
                last = next
            }
        }
        return count
    }

    /// - Returns: how many of the next rows were changed, and the last that was looked at; nil if there are no more.
    private static func step(
        _ column: Column, after: [UInt8], sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> (count: Int, last: [UInt8]?) {
        let rows = try transaction.run(column.next, [.bytes(after), .integer(StoreLimits.rowsAtOnce)])
        var count = 0
        var last: [UInt8]?
        for row in rows {
            let key = try row.bytes(0)
            last = key
            let sealed = try row.bytes(1)
            guard try ColumnSealer.keyNumber(of: sealed) != sealer.newest else { continue }
            let place = ColumnSealer.Place(column.table, column.column, row: key)
            // A secret is handled as one: the keys of the server are among these.
            let anew = try sealer.seal(secret: try sealer.openSecret(sealed, at: place), at: place)
            // Somebody may have changed it meanwhile. Then it is sealed with the newest key already.
            count += try transaction.change(column.change, [.bytes(anew), .bytes(key), .bytes(sealed)])
        }
        return (count, last)
    }

    private static let columns = [
        Column(
            table: "accounts", column: "name_sealed",
            next: """
                SELECT account_id, name_sealed FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT $2
                """,
            change: "UPDATE accounts SET name_sealed = $1 WHERE account_id = $2 AND name_sealed = $3"),
        Column(
            table: "accounts", column: "lock_reason_sealed",
            next: """
                SELECT account_id, lock_reason_sealed FROM accounts
                WHERE account_id > $1 AND lock_reason_sealed IS NOT NULL ORDER BY account_id LIMIT $2
                """,
            change: """
                UPDATE accounts SET lock_reason_sealed = $1 WHERE account_id = $2 AND lock_reason_sealed = $3
                """),
        Column(
            table: "fido_credentials", column: "attestation_sealed",
            next: """
                SELECT credential_id, attestation_sealed FROM fido_credentials
                WHERE credential_id > $1 AND attestation_sealed IS NOT NULL ORDER BY credential_id LIMIT $2
                """,
            change: """
                UPDATE fido_credentials SET attestation_sealed = $1 WHERE credential_id = $2 AND attestation_sealed = $3
                """),
        Column(
            table: "fido_credentials", column: "label_sealed",
            next: """
                SELECT credential_id, label_sealed FROM fido_credentials
                WHERE credential_id > $1 ORDER BY credential_id LIMIT $2
                """,
            change: "UPDATE fido_credentials SET label_sealed = $1 WHERE credential_id = $2 AND label_sealed = $3"),
        Column(
            table: "devices", column: "name_sealed",
            next: "SELECT device_id, name_sealed FROM devices WHERE device_id > $1 ORDER BY device_id LIMIT $2",
            change: "UPDATE devices SET name_sealed = $1 WHERE device_id = $2 AND name_sealed = $3"),
        Column(
            table: "device_attestations", column: "attestation_sealed",
            next: """
                SELECT device_id, attestation_sealed FROM device_attestations
                WHERE device_id > $1 ORDER BY device_id LIMIT $2
                """,
            change: """
                UPDATE device_attestations SET attestation_sealed = $1 WHERE device_id = $2 AND attestation_sealed = $3
                """),
        Column(
            table: "server_keys", column: "sealed",
            next: "SELECT key_id, sealed FROM server_keys WHERE key_id > $1 ORDER BY key_id LIMIT $2",
            change: "UPDATE server_keys SET sealed = $1 WHERE key_id = $2 AND sealed = $3"),
        Column(
            table: "security_events", column: "details_sealed",
            next: """
                SELECT event_id, details_sealed FROM security_events
                WHERE event_id > $1 AND details_sealed IS NOT NULL ORDER BY event_id LIMIT $2
                """,
            change: "UPDATE security_events SET details_sealed = $1 WHERE event_id = $2 AND details_sealed = $3"),
    ]
}
