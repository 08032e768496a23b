internal import SQLStore

extension Migration {
    /// The newest metadata of FIDO's that any server of this store has read. A column goes that nothing read: what it was to
    /// say, the sessions say.
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
