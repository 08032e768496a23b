internal import SQLStore

extension Migration {
    /// Adds the locks of accounts: since when, and why.
    static let accountLocks = Migration(
        name: "004 account locks",
        definitions: [
            "ALTER TABLE accounts ADD COLUMN locked_at \(.integer)",
            "ALTER TABLE accounts ADD COLUMN lock_reason_sealed \(.bytes)",
        ])
}
