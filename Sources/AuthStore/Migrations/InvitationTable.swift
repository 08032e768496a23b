internal import SQLStore

extension Migration {
    /// Creates the table of invitations, each with a hash of its code. A used invitation is removed.
    static let invitations = Migration(
        name: "005 invitations",
        definitions: [
            """
            CREATE TABLE invitations (
                code_hash \(.bytes) NOT NULL PRIMARY KEY CHECK (length(code_hash) = 32),
                expires_at \(.integer) NOT NULL
            ) \(.strictByKey)
            """,
            "CREATE INDEX invitations_by_expiry ON invitations (expires_at)",
        ])
}
