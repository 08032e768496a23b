internal import SQLStore

extension Migration {
    /// Adds indexes that find an account's ended rows separately from the others: the number of rows that an account
    /// keeps is limited.
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
