package import SQLStore

/// The table that `CrashWriter store` writes to.
package enum WrittenValues {
    package static let migrations = [
        Migration(
            name: "001 written values",
            definitions: [
                """
                CREATE TABLE written_values (
                    value \(.bytes) NOT NULL PRIMARY KEY CHECK (length(value) = 32)
                ) \(.strictByKey)
                """
            ])
    ]

    /// What a store of these values holds: their number.
    package static let contents = SQLiteBackup.Contents(migrations: migrations) { transaction throws(StoreError) in
        try transaction.first("SELECT count(*) FROM written_values", [])?.integer(0) ?? 0
    }

    /// Adds a value of 32 bytes, unless it is there.
    static func add(_ value: [UInt8], in transaction: some Transaction) throws(StoreError) {
        try transaction.change(
            "INSERT INTO written_values (value) VALUES ($1) ON CONFLICT (value) DO NOTHING", [.bytes(value)])
    }
}
