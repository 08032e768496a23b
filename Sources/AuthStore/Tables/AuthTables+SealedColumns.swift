package import SQLStore

extension AuthTables {
    /// The list of sealed columns.
    package static let sealedColumns: [SealedColumn] = [
        SealedColumn(
            table: "accounts", column: "name_sealed",
            next: """
                SELECT account_id, name_sealed FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT $2
                """,
            change: "UPDATE accounts SET name_sealed = $1 WHERE account_id = $2 AND name_sealed = $3"),
        SealedColumn(
            table: "accounts", column: "lock_reason_sealed",
            next: """
                SELECT account_id, lock_reason_sealed FROM accounts
                WHERE account_id > $1 AND lock_reason_sealed IS NOT NULL ORDER BY account_id LIMIT $2
                """,
            change: """
                UPDATE accounts SET lock_reason_sealed = $1 WHERE account_id = $2 AND lock_reason_sealed = $3
                """),
        SealedColumn(
            table: "fido_credentials", column: "attestation_sealed",
            next: """
                SELECT credential_id, attestation_sealed FROM fido_credentials
                WHERE credential_id > $1 AND attestation_sealed IS NOT NULL ORDER BY credential_id LIMIT $2
                """,
            change: """
                UPDATE fido_credentials SET attestation_sealed = $1 WHERE credential_id = $2 AND attestation_sealed = $3
                """),
        SealedColumn(
            table: "fido_credentials", column: "label_sealed",
            next: """
                SELECT credential_id, label_sealed FROM fido_credentials
                WHERE credential_id > $1 ORDER BY credential_id LIMIT $2
                """,
            change: "UPDATE fido_credentials SET label_sealed = $1 WHERE credential_id = $2 AND label_sealed = $3"),
        SealedColumn(
            table: "devices", column: "name_sealed",
            next: "SELECT device_id, name_sealed FROM devices WHERE device_id > $1 ORDER BY device_id LIMIT $2",
            change: "UPDATE devices SET name_sealed = $1 WHERE device_id = $2 AND name_sealed = $3"),
        SealedColumn(
            table: "device_attestations", column: "attestation_sealed",
            next: """
                SELECT device_id, attestation_sealed FROM device_attestations
                WHERE device_id > $1 ORDER BY device_id LIMIT $2
                """,
            change: """
                UPDATE device_attestations SET attestation_sealed = $1 WHERE device_id = $2 AND attestation_sealed = $3
                """),
        SealedColumn(
            table: "server_keys", column: "sealed",
            next: "SELECT key_id, sealed FROM server_keys WHERE key_id > $1 ORDER BY key_id LIMIT $2",
            change: "UPDATE server_keys SET sealed = $1 WHERE key_id = $2 AND sealed = $3"),
        SealedColumn(
            table: "security_events", column: "details_sealed",
            next: """
                SELECT event_id, details_sealed FROM security_events
                WHERE event_id > $1 AND details_sealed IS NOT NULL ORDER BY event_id LIMIT $2
                """,
            change: "UPDATE security_events SET details_sealed = $1 WHERE event_id = $2 AND details_sealed = $3"),
        SealedColumn(
            table: "audit_queue", column: "event_sealed",
            next: "SELECT event_id, event_sealed FROM audit_queue WHERE event_id > $1 ORDER BY event_id LIMIT $2",
            change: "UPDATE audit_queue SET event_sealed = $1 WHERE event_id = $2 AND event_sealed = $3",
            keepsUnreadable: true),
    ]
}
