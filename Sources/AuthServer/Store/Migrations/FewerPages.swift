internal import SQLStore

extension Migration {
    /// A refresh changes two rows in two trees, where it changed three in four: the limit of a session's refreshes lies in its own
    /// row, and used values are in the order in which they expire, without an index beside it.
    static let fewerPages = Migration(
        name: "007 fewer pages",
        definitions: [
            "ALTER TABLE refresh_tokens ADD COLUMN refreshes_saved \(.integer)",
            "ALTER TABLE refresh_tokens ADD COLUMN refreshes_updated_at \(.integer)",
            "ALTER TABLE spent_values RENAME TO spent_values_by_value",
            "DROP INDEX spent_values_by_expiry",
            """
            CREATE TABLE spent_values (
                expires_at \(.integer) NOT NULL,
                value \(.bytes) NOT NULL CHECK (length(value) = 32),
                PRIMARY KEY (expires_at, value)
            ) \(.strictByKey)
            """,
            "INSERT INTO spent_values (expires_at, value) SELECT expires_at, value FROM spent_values_by_value",
            "DROP TABLE spent_values_by_value",
        ])
}
