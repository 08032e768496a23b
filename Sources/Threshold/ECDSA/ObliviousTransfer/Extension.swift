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
            return SecretBytes(fleeting: transfers * width * seedSize) { pads in
                columns.withUnsafeBytes { columns in
                    correlation.withUnsafeBytes { correlation in
                        withWords(5) { input in
                            // j₂ ‖ p₁ ‖ column, from the sixth byte on, so that the column is a row of words.
                            let bytes = UnsafeMutableRawBufferPointer(start: input, count: 40)
                            let hashed = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[5...])
                            for column in 0..<transfers {
                                bytes[5] = UInt8(column >> 8)
                                bytes[6] = UInt8(column & 255)
                                for word in 0..<4 {
                                    input[1 + word] =
                                        columns.load(fromByteOffset: columnSize * column + 8 * word, as: UInt64.self)
                                        ^ correlation.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self)
                                }
                                for product in 0..<width {
                                    bytes[7] = UInt8(product)
                                    hash.hash(hashed, to: pads.origin + (column * width + product) * seedSize)
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
    /// Words of one expanded seed: 80 bytes, of the 96 that three hashes give.
    static let pieceWords = 12

    /// Expands one seed into `piece`.
    ///
    /// - Parameter input: 33 bytes of working memory.
    @inline(__always)
    static func expand(
        _ seed: UnsafeRawBufferPointer, _ hash: ECDSA.LoopHash, input: UnsafeMutableRawBufferPointer,
        to piece: UnsafeMutablePointer<UInt64>
    ) {
        input.copyMemory(from: seed)
        for part in 0..<3 {
            input[ECDSA.seedSize] = UInt8(part)
            hash.hash(UnsafeRawBufferPointer(input), to: UnsafeMutableRawPointer(piece + 4 * part))
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
