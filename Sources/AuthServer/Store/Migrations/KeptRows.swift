internal import SQLStore

extension Migration {
    /// Indexes by which the rows of an account that are over are found apart from the others: what an account keeps is limited.
    static let keptRows = Migration(
        name: "003 kept rows",
        definitions: [
            "CREATE INDEX refresh_tokens_by_account_and_end ON refresh_tokens (account_id, revoked_at)",
            "DROP INDEX refresh_tokens_by_account",
            "CREATE INDEX refresh_tokens_by_device_and_end ON refresh_tokens (device_id, revoked_at)",
            "DROP INDEX refresh_tokens_by_device",
            "CREATE INDEX devices_by_account_and_end ON devices (account_id, revoked_at)",
            "CREATE INDEX security_events_by_kind ON security_events (account_id, kind, at)",
        ])
}
