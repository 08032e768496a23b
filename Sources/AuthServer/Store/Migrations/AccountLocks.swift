internal import SQLStore

extension Migration {
    /// Accounts that the operator has locked: since when, and why.
    static let accountLocks = Migration(
        name: "004 account locks",
        definitions: [
            "ALTER TABLE accounts ADD COLUMN locked_at \(.integer)",
            "ALTER TABLE accounts ADD COLUMN lock_reason_sealed \(.bytes)",
        ])
}
