extension ECDSA {
    /// How large an extension is: the sizes of its matrix and of its message.
    struct ExtensionShape: Equatable, Sendable {
        /// Bits of the sender's correlation.
        let rows: Int
        /// How many transfers it makes.
        let transfers: Int

        /// Of one multiplication: 256 bits of a factor (ξ = 256 + 2·128), and 2·128 for what a cheater may learn of them.
        static let signing = ExtensionShape(rows: 256, transfers: 512)
        /// Of a set-up: from the base transfers to those of the first side that can send.
        static let widening = ExtensionShape(rows: baseTransfers, transfers: signing.rows)
        /// Of a set-up: from that side to the other.
        static let reversing = ExtensionShape(rows: signing.rows, transfers: signing.rows)

        var trees: Int { rows / treeDepth }
        var columns: Int { transfers + maskColumns }
        /// Bytes of one row, and of the receiver's choice.
        var rowSize: Int { columns / 8 }
        /// Bytes of one column.
        var columnSize: Int { rows / 8 }
        var rowWords: Int { rowSize / 8 }
        var columnWords: Int { columnSize / 8 }
        /// Words of the whole matrix.
        var words: Int { rows * rowWords }

        /// Hashes of one expanded seed, of which the first ``rowSize`` bytes are used.
        var pieceHashes: Int { (rowSize + seedSize - 1) / seedSize }
        var pieceWords: Int { pieceHashes * seedSize / 8 }

        /// Bytes of one correction for each tree.
        var correctionsSize: Int { trees * rowSize }
        /// Bytes of the mapped rows, by columns.
        var mappedSize: Int { maskColumns * columnSize }
        /// Bytes of the receiver's message: the corrections, the mapped choice and the mapped rows.
        var messageSize: Int { correctionsSize + ExtensionCheck.size + mappedSize }
    }
}
