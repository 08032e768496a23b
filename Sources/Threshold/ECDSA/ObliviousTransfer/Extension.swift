internal import Curves
internal import Secrets

extension ECDSA {
    /// What the two sides of an extension do alike: from a few base transfers it makes the 640 of one multiplication
    /// (SoftSpokenOT, Roy, ePrint 2022/192, figures 13 and 14, with trees of 16 leaves).
    enum Extension {
        static let correctionsSize = trees * rowSize
        static let messageSize = correctionsSize + ExtensionCheck.size + ExtensionCheck.columnsSize

        /// e: names the extension in each of its hashes.
        static func base(session: [UInt8], sender: ParticipantIndex, receiver: ParticipantIndex) -> [UInt8] {
            Oracle.hash("ot extension", session, [UInt8(sender.value)], [UInt8(receiver.value)])
        }

        /// o: of the pads.
        static func padBase(base: [UInt8], message: [UInt8]) -> [UInt8] {
            var hasher = Oracle.hasher("ot extension pads")
            hasher.update(part: base)
            message.withUnsafeBytes { hasher.update(part: UnsafeRawBufferPointer(rebasing: $0[..<correctionsSize])) }
            return hasher.finalize()
        }

        /// Fills guarded memory with the pads of columns, 32 bytes each, column first.
        ///
        /// - Parameters:
        ///   - columns: 32 bytes each.
        ///   - correlation: what is added to each column before it is hashed: Δ, or nothing.
        static func pads(
            of columns: borrowing SecretBytes, plus correlation: borrowing SecretBytes, base: [UInt8], width: Int
        ) -> SecretBytes {
            let hash = LoopHash(base)
            let columnsAtOnce = 16
            return SecretBytes(fleeting: transfers * width * seedSize) { pads in
                columns.withUnsafeBytes { columns in
                    correlation.withUnsafeBytes { correlation in
                        for first in stride(from: 0, to: transfers, by: columnsAtOnce) {
                            // j₂ ‖ p₁ ‖ column
                            hash.hashes(
                                count: columnsAtOnce * width, ofSize: 3 + columnSize,
                                to: pads.origin + first * width * seedSize
                            ) { number, input in
                                let column = first + number / width
                                input.storeBytes(of: UInt16(column).bigEndian, as: UInt16.self)
                                input.storeBytes(of: UInt8(number % width), toByteOffset: 2, as: UInt8.self)
                                for word in 0..<(columnSize / 8) {
                                    let bits =
                                        columns.load(fromByteOffset: columnSize * column + 8 * word, as: UInt64.self)
                                        ^ correlation.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self)
                                    input.storeBytes(of: bits, toByteOffset: 3 + 8 * word, as: UInt64.self)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

extension ECDSA.Extension {
    /// Hashes of one expanded seed: 96 bytes, of which 80 are used.
    static let pieceHashes = 3
    static let pieceWords = pieceHashes * SHA256.size / 8

    /// Expands `count` seeds, which lie one behind the other, into as many pieces.
    @inline(__always)
    static func expand(
        _ seeds: UnsafeRawBufferPointer, count: Int, _ hash: ECDSA.LoopHash, to pieces: UnsafeMutablePointer<UInt64>
    ) {
        hash.hashes(count: count * pieceHashes, ofSize: ECDSA.seedSize + 1, to: pieces) { number, input in
            let (seed, part) = number.quotientAndRemainder(dividingBy: pieceHashes)
            input.copyMemory(from: seeds.origin + seed * ECDSA.seedSize, byteCount: ECDSA.seedSize)
            input.storeBytes(of: UInt8(part), toByteOffset: ECDSA.seedSize, as: UInt8.self)
        }
    }

    /// Adds up the 16 pieces of a tree, which are overwritten: row l - 1 is the sum of those whose bit of level l is 1, level 1
    /// being the highest bit. The sum of all is left in the first piece.
    static func fold(_ pieces: UnsafeMutablePointer<UInt64>, to rows: UnsafeMutablePointer<UInt64>) {
        var count = ECDSA.leaves
        for level in (0..<ECDSA.treeDepth).reversed() {
            let row = rows + level * BitMatrix.rowWords
            for word in 0..<BitMatrix.rowWords { row[word] = 0 }
            count /= 2
            for pair in 0..<count {
                let even = pieces + 2 * pair * pieceWords
                let odd = even + pieceWords
                let sum = pieces + pair * pieceWords
                for word in 0..<BitMatrix.rowWords {
                    let value = odd[word]
                    row[word] ^= value
                    sum[word] = even[word] ^ value
                }
            }
        }
    }

    /// Calls `body` with words that are zero before, and wiped after.
    static func withWords<Result>(_ count: Int, _ body: (UnsafeMutablePointer<UInt64>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { buffer in
            guard let words = buffer.baseAddress else { preconditionFailure("a buffer without memory") }
            words.initialize(repeating: 0, count: count)
            defer { wipe(UnsafeMutableRawBufferPointer(start: words, count: 8 * count)) }
            return body(words)
        }
    }
}
