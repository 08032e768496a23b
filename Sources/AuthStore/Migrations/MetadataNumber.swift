internal import SQLStore

extension Migration {
    /// Adds the number of the newest FIDO metadata that any server of this store has read. Removes a column that was
    /// never read: the sessions contain its information.
    static let metadataNumber = Migration(
        name: "002 metadata number",
        definitions: [
            """
            CREATE TABLE fido_metadata (
                signer TEXT NOT NULL PRIMARY KEY,
                number \(.integer) NOT NULL CHECK (number >= 0)
            ) \(.strict)
            """,
            "ALTER TABLE accounts DROP COLUMN sessions_not_before",
        ])
}
