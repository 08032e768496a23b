internal import Curves
internal import Secrets
internal import Threshold

extension ECDSA {
    /// The computations that both sides of an extension share: it makes many transfers from a few (SoftSpokenOT, Roy,
    /// ePrint 2022/192, figures 13 and 14, with trees of 16 leaves).
    enum Extension {
        /// Returns e, which names the extension in each of its hashes.
        static func base(session: [UInt8], sender: ParticipantIndex, receiver: ParticipantIndex) -> [UInt8] {
            TaggedHash.hash("ot extension", session, [UInt8(sender.value)], [UInt8(receiver.value)])
        }

        /// Returns o, the base of the pads' hashes.
        static func padBase(base: [UInt8], message: [UInt8], shape: ExtensionShape) -> [UInt8] {
            var hasher = TaggedHash.hasher("ot extension pads")
            hasher.update(part: base)
            message.withUnsafeBytes { hasher.update(part: $0.part(0, shape.correctionsSize)) }
            return hasher.finalize()
        }

        /// Fills guarded memory with the pads of columns, 32 bytes each, column first.
        ///
        /// - Parameters:
        ///   - columns: the columns of the matrix.
        ///   - correlation: the value Δ that is added to each column before it is hashed; nil to add nothing.
        ///   - width: the number of pads of each column.
        static func pads(
            of columns: borrowing SecretBytes, plus correlation: borrowing SecretBytes, base: [UInt8], width: Int,
            shape: ExtensionShape
        ) -> SecretBytes {
            let hash = LoopHash(base)
            let columnsAtOnce = 16
            let size = shape.columnSize
            return SecretBytes(fleeting: shape.transfers * width * seedSize) { pads in
                columns.withUnsafeBytes { columns in
                    correlation.withUnsafeBytes { correlation in
                        for first in stride(from: 0, to: shape.transfers, by: columnsAtOnce) {
                            // j₂ ‖ p₁ ‖ column
                            hash.hashes(
                                count: columnsAtOnce * width, ofSize: 3 + size,
                                to: pads.origin + first * width * seedSize
                            ) { number, input in
                                let column = first + number / width
                                input.storeBytes(of: UInt16(column).bigEndian, as: UInt16.self)
                                input.storeBytes(of: UInt8(number % width), toByteOffset: 2, as: UInt8.self)
                                for offset in stride(from: 0, to: size, by: 8) {
                                    let bits =
                                        columns.load(fromByteOffset: size * column + offset, as: UInt64.self)
                                        ^ correlation.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                                    input.storeBytes(of: bits, toByteOffset: 3 + offset, as: UInt64.self)
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
    /// Expands adjacent seeds into pieces of a row, ``ECDSA/ExtensionShape/pieceWords`` each.
    @inline(__always)
    static func expand(
        _ seeds: UnsafeRawBufferPointer, _ hash: ECDSA.LoopHash, _ shape: ECDSA.ExtensionShape,
        to pieces: UnsafeMutablePointer<UInt64>
    ) {
        let count = seeds.count / ECDSA.seedSize
        let hashes = shape.pieceHashes
        hash.hashes(count: count * hashes, ofSize: ECDSA.seedSize + 1, to: pieces) { number, input in
            let (seed, part) = number.quotientAndRemainder(dividingBy: hashes)
            input.copyMemory(from: seeds.origin + seed * ECDSA.seedSize, byteCount: ECDSA.seedSize)
            input.storeBytes(of: UInt8(part), toByteOffset: ECDSA.seedSize, as: UInt8.self)
        }
    }

    /// Adds up the 16 pieces of a tree, and overwrites them: row l - 1 is the sum of those whose bit of level l is 1,
    /// where level 1 is the highest bit. The first piece then has the sum of all.
    static func fold(
        _ pieces: UnsafeMutablePointer<UInt64>, _ shape: ECDSA.ExtensionShape, to rows: UnsafeMutablePointer<UInt64>
    ) {
        let (rowWords, pieceWords) = (shape.rowWords, shape.pieceWords)
        var count = ECDSA.leaves
        for level in (0..<ECDSA.treeDepth).reversed() {
            let row = rows + level * rowWords
            for word in 0..<rowWords { row[word] = 0 }
            count /= 2
            for pair in 0..<count {
                let even = pieces + 2 * pair * pieceWords
                let odd = even + pieceWords
                let sum = pieces + pair * pieceWords
                for word in 0..<rowWords {
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
