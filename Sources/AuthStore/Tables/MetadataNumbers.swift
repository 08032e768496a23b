package import SQLStore

/// The table `fido_metadata`: the highest metadata number of each signer.
package enum MetadataNumbers {
    /// Returns the highest number of a signer; nil if none was read yet.
    package static func highest(of signer: String, in transaction: some Transaction) throws(StoreError) -> Int64? {
        try transaction.first("SELECT number FROM fido_metadata WHERE signer = $1", [.text(signer)])?.integer(0)
    }

    /// Records that metadata of this number were read.
    ///
    /// - Returns: the highest number so far, including this one. A result above this number means that the file is
    ///   outdated.
    package static func note(
        _ number: Int64, of signer: String, in transaction: some Transaction
    ) throws(StoreError) -> Int64 {
        try transaction.change(
            """
            INSERT INTO fido_metadata (signer, number) VALUES ($1, $2)
            ON CONFLICT (signer) DO UPDATE SET number = $2 WHERE fido_metadata.number < $2
            """, [.text(signer), .integer(number)])
        return try highest(of: signer, in: transaction) ?? number
    }
}
