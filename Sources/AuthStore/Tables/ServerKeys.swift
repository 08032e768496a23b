package import SQLStore
package import Secrets
package import Time

/// A row of the table `server_keys`: a sealed key of the server.
package struct ServerKeyRow: Equatable, Sendable {
    /// The id by which tokens name the key: 1...64 bytes.
    package var id: [UInt8]
    /// The purpose, in the server's words.
    package var purpose: String
    /// The sealed key, from ``ServerKeys/seal(_:id:sealer:)``.
    package var sealed: [UInt8]
    package var createdAt: Timestamp
    /// The time from which the key is used. It is published before.
    package var activatesAt: Timestamp
    /// The time at which the key stops being accepted; nil if it is not known yet.
    package var retiresAt: Timestamp?

    package init(
        id: [UInt8], purpose: String, sealed: [UInt8], createdAt: Timestamp, activatesAt: Timestamp,
        retiresAt: Timestamp? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.sealed = sealed
        self.createdAt = createdAt
        self.activatesAt = activatesAt
        self.retiresAt = retiresAt
    }
}

/// The table `server_keys`.
package enum ServerKeys {
    private static func place(_ id: [UInt8]) -> ColumnSealer.Place {
        ColumnSealer.Place("server_keys", "sealed", row: id)
    }

    /// Seals a key for ``add(_:in:)``, outside of the transaction, whose closure cannot capture a secret.
    package static func seal(
        _ key: borrowing SecretBytes, id: [UInt8], sealer: ColumnSealer
    ) throws(StoreError) -> [UInt8] {
        try sealer.seal(secret: key, at: place(id))
    }

    /// Opens the result of ``all(purpose:in:)``.
    package static func open(
        _ sealed: [UInt8], id: [UInt8], sealer: ColumnSealer
    ) throws(StoreError) -> SecretBytes {
        try sealer.openSecret(sealed, at: place(id))
    }

    /// Checks that the key ring is the one that sealed this store, before any value is sealed into it: a value sealed
    /// by another ring would prevent every value that is read together with it from being opened.
    ///
    /// - Throws: ``StoreError/unknownSealingKey(_:)``, ``StoreError/sealIsBroken``.
    package static func requireOpening(by sealer: ColumnSealer, in transaction: some Transaction) throws(StoreError) {
        for row in try transaction.run("SELECT key_id, sealed FROM server_keys", []) {
            _ = try open(try row.bytes(1), id: try row.bytes(0), sealer: sealer)
        }
    }

    /// Removes all keys of a purpose.
    package static func removeAll(purpose: String, in transaction: some Transaction) throws(StoreError) {
        try transaction.change("DELETE FROM server_keys WHERE purpose = $1", [.text(purpose)])
    }

    /// Adds a key. Returns false if the id exists already.
    package static func add(
        _ key: ServerKeyRow, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            INSERT INTO server_keys (key_id, purpose, sealed, created_at, activates_at, retires_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key_id) DO NOTHING
            """,
            [
                .bytes(key.id), .text(key.purpose), .bytes(key.sealed), .time(key.createdAt), .time(key.activatesAt),
                .time(key.retiresAt),
            ]) == 1
    }

    /// Makes other replicas wait until this transaction ends, so that only one of them adds a missing key. Read the
    /// keys after this call, and not before.
    package static func lock(in transaction: some Transaction) throws(StoreError) {
        try transaction.waitForMigrations()
    }

    /// Returns all keys of a purpose, oldest first, including retired ones.
    package static func all(
        purpose: String, in transaction: some Transaction
    ) throws(StoreError) -> [ServerKeyRow] {
        var keys: [ServerKeyRow] = []
        for row in try transaction.run(
            """
            SELECT key_id, purpose, sealed, created_at, activates_at, retires_at FROM server_keys
            WHERE purpose = $1 ORDER BY created_at, key_id
            """, [.text(purpose)])
        {
            keys.append(
                ServerKeyRow(
                    id: try row.bytes(0), purpose: try row.text(1), sealed: try row.bytes(2),
                    createdAt: try row.time(3), activatesAt: try row.time(4),
                    retiresAt: try row.optional(5, SQLRow.time)))
        }
        return keys
    }

    /// Sets when a key retires. Returns whether the key exists.
    package static func retire(
        _ id: [UInt8], at moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "UPDATE server_keys SET retires_at = $1 WHERE key_id = $2", [.time(moment), .bytes(id)]) == 1
    }

    /// Removes keys that retired before `moment`. Returns how many.
    package static func prune(
        retiredBefore moment: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Int {
        try transaction.change("DELETE FROM server_keys WHERE retires_at < $1", [.time(moment)])
    }
}
