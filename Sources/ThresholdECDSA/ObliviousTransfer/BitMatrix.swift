internal import Secrets

/// A matrix of bits in words, by rows or by columns; bit b of a row or column is bit b mod 64 of its word b / 64.
///
/// All operations take constant time: bits are moved by shifts and masks only.
enum BitMatrix {
    /// Writes the columns of a matrix, given its rows.
    ///
    ///   - rowWords: the number of words in a row.
    ///   - columnWords: the number of words in a column.
    ///   - columnWords: words of one column.
    static func transpose(
        _ rows: UnsafePointer<UInt64>, to columns: UnsafeMutablePointer<UInt64>, rowWords: Int, columnWords: Int
    ) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { block in
            guard let block = block.baseAddress else { preconditionFailure("a buffer without memory") }
            defer { wipe(UnsafeMutableRawBufferPointer(start: block, count: 64 * 8)) }
            for row in 0..<columnWords {
                for column in 0..<rowWords {
                    for k in 0..<64 { block[k] = rows[(64 * row + k) * rowWords + column] }
                    transpose(block: block)
                    for k in 0..<64 { columns[(64 * column + k) * columnWords + row] = block[k] }
                }
            }
        }
    }

    /// Transposes 64 words of 64 bits in place: exchanges the two quarters off the diagonal, and recursively in each
    /// quarter (Warren, "Hacker's Delight", section 7-3).
    static func transpose(block: UnsafeMutablePointer<UInt64>) {
        var width = 32
        var mask: UInt64 = 0xffff_ffff
        while width > 0 {
            var start = 0
            while start < 64 {
                for k in start..<(start + width) {
                    let exchanged = ((block[k] >> UInt64(width)) ^ block[k + width]) & mask
                    block[k] ^= exchanged << UInt64(width)
                    block[k + width] ^= exchanged
                }
                start += 2 * width
            }
            width /= 2
            mask ^= mask << UInt64(width)
        }
    }
}
