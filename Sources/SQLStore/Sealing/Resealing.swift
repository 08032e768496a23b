/// Seals every column anew with the newest key, so that an older key can be given up.
package enum Resealing {
    /// Seals all values again whose key is not the newest one.
    ///
    /// - Parameter columns: all columns that are sealed.
    /// - Returns: how many values were sealed anew. When it returns 0, no value needs an older key: unless another server still
    ///   seals with one.
    /// - Throws: ``StoreError/unknownSealingKey(_:)``, ``StoreError/sealIsBroken``: earlier changes stay.
    package static func run(
        _ columns: [SealedColumn], of database: some Database, sealer: ColumnSealer
    ) async throws -> Int {
        var count = 0
        for column in columns {
            var last: [UInt8]? = []
            while let after = last {
                let (changed, next) = try await database.write { transaction in
                    try step(column, after: after, sealer: sealer, in: transaction)
                }
                count += changed
                last = next
            }
        }
        return count
    }

    /// Seals some rows of a column again, in one transaction.
    ///
    /// - Returns: the number of changed rows, and the last row that was read; nil without further rows.
    private static func step(
        _ column: SealedColumn, after: [UInt8], sealer: ColumnSealer, in transaction: some Transaction
    ) throws(StoreError) -> (count: Int, last: [UInt8]?) {
        let rows = try transaction.run(column.next, [.bytes(after), .integer(StoreLimits.rowsAtOnce)])
        var count = 0
        var last: [UInt8]?
        for row in rows {
            let key = try row.bytes(0)
            last = key
            let sealed = try row.bytes(1)
            let place = ColumnSealer.Place(column.table, column.column, row: key)
            let anew: [UInt8]
            do throws(StoreError) {
                guard try ColumnSealer.keyNumber(of: sealed) != sealer.newest else { continue }
                // The value may be a key: it is handled as a secret.
                anew = try sealer.seal(secret: try sealer.openSecret(sealed, at: place), at: place)
            } catch {
                guard column.keepsUnreadable else { throw error }
                continue
            }
            // Another write may have changed it meanwhile. Then it is sealed with the newest key already.
            count += try transaction.change(column.change, [.bytes(anew), .bytes(key), .bytes(sealed)])
        }
        return (count, last)
    }
}
