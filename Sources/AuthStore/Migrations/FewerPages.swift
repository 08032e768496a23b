internal import SQLStore

extension Migration {
    /// Makes a refresh change two rows in two trees instead of three in four: the limit of a session's refreshes moves
    /// into the session's row, and spent values are ordered by expiry without an additional index.
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
