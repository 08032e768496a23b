extension ECDSA {
    /// The sizes of an extension's matrix and of its message.
    struct ExtensionShape: Equatable, Sendable {
        /// The number of bits of the sender's correlation.
        let rows: Int
        /// The number of transfers that it makes.
        let transfers: Int

        /// The shape for one multiplication: 256 bits of a factor (ξ = 256 + 2·128), and 2·128 that a cheater may
        /// learn.
        static let signing = ExtensionShape(rows: 256, transfers: 512)
        /// The shape of the pairing's first extension: from the base transfers to those of the first side that can
        /// send.
        static let widening = ExtensionShape(rows: baseTransfers, transfers: signing.rows)
        /// The shape of the pairing's second extension: from that side to the other.
        static let reversing = ExtensionShape(rows: signing.rows, transfers: signing.rows)

        var trees: Int { rows / treeDepth }
        var columns: Int { transfers + maskColumns }
        /// The size of one row, and of the receiver's choice, in bytes.
        var rowSize: Int { columns / 8 }
        /// The size of one column in bytes.
        var columnSize: Int { rows / 8 }
        var rowWords: Int { rowSize / 8 }
        var columnWords: Int { columnSize / 8 }
        /// The number of words of the whole matrix.
        var words: Int { rows * rowWords }

        /// The number of hashes of one expanded seed, whose first ``rowSize`` bytes are used.
        var pieceHashes: Int { (rowSize + seedSize - 1) / seedSize }
        var pieceWords: Int { pieceHashes * seedSize / 8 }

        /// The size of the corrections, one for each tree, in bytes.
        var correctionsSize: Int { trees * rowSize }
        /// The size of the mapped rows, by columns, in bytes.
        var mappedSize: Int { maskColumns * columnSize }
        /// The size of the receiver's message: the corrections, the mapped choice and the mapped rows.
        var messageSize: Int { correctionsSize + ExtensionCheck.size + mappedSize }
    }
}
