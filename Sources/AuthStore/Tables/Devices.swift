package import AuthAPI
package import SQLStore
package import Time

/// A row of the table `devices`: a key that signs DPoP proofs for one account.
package struct DeviceRow: Equatable, Sendable {
    package var id: DeviceID
    package var account: AccountID
    /// RFC 7638 thumbprint of its key: 32 bytes.
    package var keyThumbprint: [UInt8]
    /// The name that its owner gave; sealed in the table.
    package var name: String
    package var createdAt: Timestamp
    package var lastSeenAt: Timestamp
    package var revokedAt: Timestamp?

    package init(
        id: DeviceID, account: AccountID, keyThumbprint: [UInt8], name: String, createdAt: Timestamp,
        lastSeenAt: Timestamp, revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.account = account
        self.keyThumbprint = keyThumbprint
        self.name = name
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.revokedAt = revokedAt
    }
}

/// The table `devices`.
package enum Devices {
    private static func namePlace(_ id: DeviceID) -> ColumnSealer.Place {
        ColumnSealer.Place("devices", "name_sealed", row: id.bytes)
    }

    /// Adds a device. Returns false if the account already has a device with that key, even a revoked one.
    package static func add(
        _ device: DeviceRow, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            INSERT INTO devices (device_id, account_id, key_thumbprint, name_sealed, created_at, last_seen_at, revoked_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (account_id, key_thumbprint) DO NOTHING
            """,
            [
                .id(device.id), .id(device.account), .bytes(device.keyThumbprint),
                try sealer.seal(text: device.name, at: namePlace(device.id)), .time(device.createdAt),
                .time(device.lastSeenAt), .time(device.revokedAt),
            ]) == 1
    }

    package static func find(
        _ id: DeviceID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> DeviceRow? {
        guard
            let row = try transaction.first(
                """
                SELECT device_id, account_id, key_thumbprint, name_sealed, created_at, last_seen_at, revoked_at
                FROM devices WHERE device_id = $1
                """, [.id(id)])
        else { return nil }
        return try device(row, sealer)
    }

    /// Returns the account's device with that key, even a revoked one.
    package static func find(
        keyThumbprint: [UInt8], of account: AccountID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> DeviceRow? {
        guard
            let row = try transaction.first(
                """
                SELECT device_id, account_id, key_thumbprint, name_sealed, created_at, last_seen_at, revoked_at
                FROM devices WHERE account_id = $1 AND key_thumbprint = $2
                """, [.id(account), .bytes(keyThumbprint)])
        else { return nil }
        return try device(row, sealer)
    }

    /// Returns the devices of an account that are not revoked, oldest first: at most `AuthLimits.devices`.
    package static func active(
        of account: AccountID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [DeviceRow] {
        try devices(
            transaction.run(
                """
                SELECT device_id, account_id, key_thumbprint, name_sealed, created_at, last_seen_at, revoked_at
                FROM devices WHERE account_id = $1 AND revoked_at IS NULL ORDER BY created_at, device_id LIMIT $2
                """, [.id(account), .integer(Int64(AuthLimits.devices))]), sealer)
    }

    /// Returns the devices of an account, including revoked ones, newest first.
    ///
    /// - Parameter limit: the highest number of devices.
    package static func last(
        of account: AccountID, limit: Int64, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [DeviceRow] {
        try devices(
            transaction.run(
                """
                SELECT device_id, account_id, key_thumbprint, name_sealed, created_at, last_seen_at, revoked_at
                FROM devices WHERE account_id = $1 ORDER BY created_at DESC, device_id LIMIT $2
                """, [.id(account), .integer(limit)]), sealer)
    }

    private static func devices(_ rows: [SQLRow], _ sealer: ColumnSealer) throws(StoreError) -> [DeviceRow] {
        var devices: [DeviceRow] = []
        devices.reserveCapacity(rows.count)
        for row in rows { devices.append(try device(row, sealer)) }
        return devices
    }

    /// Returns the number of an account's devices: those that are not revoked, and all that are kept.
    package static func count(
        of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> (active: Int, all: Int) {
        guard
            let row = try transaction.first(
                "SELECT count(*), count(revoked_at) FROM devices WHERE account_id = $1", [.id(account)])
        else { return (0, 0) }
        let (all, revoked) = (Int(clamping: try row.integer(0)), Int(clamping: try row.integer(1)))
        return (all - revoked, all)
    }

    @discardableResult
    package static func noteSeen(
        _ id: DeviceID, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "UPDATE devices SET last_seen_at = $1 WHERE device_id = $2 AND last_seen_at < $1", [.time(now), .id(id)])
            == 1
    }

    /// Renames a device. Returns whether the account has it and it is not revoked.
    package static func rename(
        _ id: DeviceID, of account: AccountID, to name: String, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "UPDATE devices SET name_sealed = $1 WHERE device_id = $2 AND account_id = $3 AND revoked_at IS NULL",
            [try sealer.seal(text: name, at: namePlace(id)), .id(id), .id(account)]) == 1
    }

    /// Marks a device as revoked. Returns whether the account has that device and it was not revoked.
    /// ``Sessions/revoke(device:of:at:reason:in:)`` ends its sessions.
    package static func revoke(
        _ id: DeviceID, of account: AccountID, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "UPDATE devices SET revoked_at = $1 WHERE device_id = $2 AND account_id = $3 AND revoked_at IS NULL",
            [.time(now), .id(id), .id(account)]) == 1
    }

    /// Removes the account's device with the oldest sign-in, of those without a valid session that are not revoked,
    /// with its ended sessions and its attestation. Returns whether there was one.
    package static func removeUnused(
        of account: AccountID, at now: Timestamp, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            DELETE FROM devices WHERE device_id = (SELECT device_id FROM devices
                WHERE account_id = $1 AND revoked_at IS NULL
                    AND NOT EXISTS (SELECT 1 FROM refresh_tokens
                        WHERE refresh_tokens.device_id = devices.device_id AND refresh_tokens.revoked_at IS NULL
                            AND refresh_tokens.expires_at > $2 AND refresh_tokens.idle_expires_at > $2)
                ORDER BY last_seen_at, device_id LIMIT 1)
            """, [.id(account), .time(now)]) == 1
    }

    /// Removes a device of an account with its sessions and its attestation. Returns whether the account has it.
    ///
    /// Its key stays usable, unlike that of a device that ``revoke(_:of:at:in:)`` marks as revoked.
    package static func remove(
        _ id: DeviceID, of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            "DELETE FROM devices WHERE device_id = $1 AND account_id = $2", [.id(id), .id(account)]) == 1
    }

    /// Removes the revoked devices of an account except the most recent ones: `AuthStoreLimits.revokedDevices` stay.
    package static func pruneRevoked(
        of account: AccountID, in transaction: some Transaction
    ) throws(StoreError) {
        try transaction.change(
            """
            DELETE FROM devices WHERE device_id IN (SELECT device_id FROM devices
                WHERE account_id = $1 AND revoked_at IS NOT NULL
                ORDER BY revoked_at DESC, device_id LIMIT $2 OFFSET $3)
            """, [.id(account), .integer(AuthStoreLimits.prunedAtOnce), .integer(AuthStoreLimits.revokedDevices)])
    }

    private static func device(_ row: SQLRow, _ sealer: ColumnSealer) throws(StoreError) -> DeviceRow {
        let id: DeviceID = try row.id(0)
        return DeviceRow(
            id: id, account: try row.id(1), keyThumbprint: try row.bytes(2, count: 32),
            name: try sealer.openText(try row.bytes(3), at: namePlace(id)), createdAt: try row.time(4),
            lastSeenAt: try row.time(5), revokedAt: try row.optional(6, SQLRow.time))
    }
}
