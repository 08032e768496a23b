package import AuthAPI
package import SQLStore
package import Time

/// The attestation of a device's key.
package struct DeviceAttestationRow: Equatable, Sendable {
    package var device: DeviceID
    package var account: AccountID
    /// The platform in the server's words: `ios`, `android` and so on.
    package var platform: String
    package var format: String
    /// The trust in the attestation, in the server's words.
    package var trustStatus: String
    package var verifiedAt: Timestamp
    /// The statement as received; sealed in the table.
    package var attestation: [UInt8]

    package init(
        device: DeviceID, account: AccountID, platform: String, format: String, trustStatus: String,
        verifiedAt: Timestamp, attestation: [UInt8]
    ) {
        self.device = device
        self.account = account
        self.platform = platform
        self.format = format
        self.trustStatus = trustStatus
        self.verifiedAt = verifiedAt
        self.attestation = attestation
    }
}

/// The table `device_attestations`: the last attestation of each device.
package enum DeviceAttestations {
    private static func place(_ id: DeviceID) -> ColumnSealer.Place {
        ColumnSealer.Place("device_attestations", "attestation_sealed", row: id.bytes)
    }

    /// Stores an attestation in place of the device's earlier one. Returns false if the earlier one belongs to another
    /// account.
    package static func put(
        _ attestation: DeviceAttestationRow, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            INSERT INTO device_attestations (device_id, account_id, platform, format, trust_status, verified_at,
                attestation_sealed)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (device_id) DO UPDATE SET platform = excluded.platform, format = excluded.format,
                trust_status = excluded.trust_status, verified_at = excluded.verified_at,
                attestation_sealed = excluded.attestation_sealed
            WHERE device_attestations.account_id = excluded.account_id
            """,
            [
                .id(attestation.device), .id(attestation.account), .text(attestation.platform),
                .text(attestation.format), .text(attestation.trustStatus), .time(attestation.verifiedAt),
                .bytes(try sealer.seal(attestation.attestation, at: place(attestation.device))),
            ]) == 1
    }

    package static func find(
        _ device: DeviceID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> DeviceAttestationRow? {
        guard
            let row = try transaction.first(
                """
                SELECT device_id, account_id, platform, format, trust_status, verified_at, attestation_sealed
                FROM device_attestations WHERE device_id = $1
                """, [.id(device)])
        else { return nil }
        return try attestation(row, sealer)
    }

    package static func all(
        of account: AccountID, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [DeviceAttestationRow] {
        var attestations: [DeviceAttestationRow] = []
        for row in try transaction.run(
            """
            SELECT device_id, account_id, platform, format, trust_status, verified_at, attestation_sealed
            FROM device_attestations WHERE account_id = $1 ORDER BY verified_at, device_id
            """, [.id(account)])
        { attestations.append(try attestation(row, sealer)) }
        return attestations
    }

    /// Returns a page of the attestations of all accounts, in the order of their devices' ids.
    ///
    /// - Parameter limit: the highest number of attestations.
    package static func page(
        after id: [UInt8], limit: Int64, sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> [DeviceAttestationRow] {
        var attestations: [DeviceAttestationRow] = []
        for row in try transaction.run(
            """
            SELECT device_id, account_id, platform, format, trust_status, verified_at, attestation_sealed
            FROM device_attestations WHERE device_id > $1 ORDER BY device_id LIMIT $2
            """, [.bytes(id), .integer(limit)])
        { attestations.append(try attestation(row, sealer)) }
        return attestations
    }

    /// Writes the result of a reassessment. Returns false and changes nothing if the device was attested again
    /// meanwhile.
    package static func judge(
        _ judged: DeviceAttestationRow, trustStatus: String, in transaction: some Transaction
    ) throws(StoreError) -> Bool {
        try transaction.change(
            """
            UPDATE device_attestations SET trust_status = $1
            WHERE device_id = $2 AND account_id = $3 AND verified_at = $4 AND trust_status = $5
            """,
            [
                .text(trustStatus), .id(judged.device), .id(judged.account), .time(judged.verifiedAt),
                .text(judged.trustStatus),
            ]) == 1
    }

    private static func attestation(
        _ row: SQLRow, _ sealer: ColumnSealer
    ) throws(StoreError) -> DeviceAttestationRow {
        let device: DeviceID = try row.id(0)
        return DeviceAttestationRow(
            device: device, account: try row.id(1), platform: try row.text(2), format: try row.text(3),
            trustStatus: try row.text(4), verifiedAt: try row.time(5),
            attestation: try sealer.open(try row.bytes(6), at: place(device)))
    }
}
