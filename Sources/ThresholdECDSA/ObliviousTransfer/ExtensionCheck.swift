internal import Curves
internal import Secrets

extension ECDSA {
    /// The check of an extension: a linear map of rows of n + 1 blocks of 128 bits, which the challenge chooses.
    ///
    ///     (b₀, …, b_n)  ->  Σ χ_m·b_m + b_n      in GF(2¹²⁸), X¹²⁸ = X⁷ + X² + X + 1
    ///
    /// Bit p of the result is the sum of those columns j = 128m + b for which bit p of χ_m·Xᵇ is 1, and of column 128n
    /// + p. So all rows are mapped at once, column by column. All additions and look-ups depend on the public challenge
    /// alone.
    struct ExtensionCheck {
        static let bits = maskColumns
        /// The size of the mapped form of one row, or of the choice.
        static let size = bits / 8

        private let shape: ExtensionShape
        /// χ_m·Xᵇ in two words, at 128m + b.
        private let powers: [UInt64]
        /// The columns that are added to bit p: as many words as all transfers need, at p. The same bits as in
        /// `powers`, sorted by bit.
        private let selections: [UInt64]

        private var selectionWords: Int { shape.transfers / 64 }

        /// - Parameters:
        ///   - base: the extension's e.
        ///   - message: the receiver's message, which begins with the corrections.
        init(base: [UInt8], message: UnsafeRawBufferPointer, shape: ExtensionShape) {
            var hasher = TaggedHash.hasher("ot extension challenge")
            hasher.update(part: base)
            hasher.update(part: message.part(0, shape.correctionsSize))
            self.init(challenge: LoopHash(hasher.finalize()), shape: shape)
        }

        private init(challenge: LoopHash, shape: ExtensionShape) {
            var powers: [UInt64] = []
            powers.reserveCapacity(2 * shape.transfers)
            for block in 0..<(shape.transfers / Self.bits) {
                let chi = challenge.hash([UInt8(block)])
                var (low, high) = chi.withUnsafeBytes {
                    (
                        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                    )
                }
                for _ in 0..<Self.bits {
                    powers.append(low)
                    powers.append(high)
                    let carry = high >> 63
                    high = high << 1 | low >> 63
                    low = low << 1 ^ (carry &* 0x87)
                }
            }
            self.shape = shape
            self.powers = powers
            selections = Self.transposed(powers, selectionWords: shape.transfers / 64)
        }

        private static func transposed(_ powers: [UInt64], selectionWords: Int) -> [UInt64] {
            var selections = [UInt64](repeating: 0, count: bits * selectionWords)
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { block in
                guard let start = block.baseAddress else { preconditionFailure("a buffer without memory") }
                for word in 0..<selectionWords {
                    for half in 0..<2 {
                        for k in 0..<64 { start[k] = powers[2 * (64 * word + k) + half] }
                        BitMatrix.transpose(block: start)
                        for k in 0..<64 { selections[(64 * half + k) * selectionWords + word] = start[k] }
                    }
                }
            }
            return selections
        }

        /// Maps all rows: writes t₀ ‖ … ‖ t₁₂₇.
        ///
        /// - Parameter columns: the columns of the matrix.
        func map(_ columns: UnsafePointer<UInt64>, to result: UnsafeMutablePointer<UInt64>) {
            // Constants for the compiler, so that it unrolls the innermost loops.
            if shape.columnWords == 4 {
                map(columns, to: result, words: 4)
            } else {
                map(columns, to: result, words: shape.columnWords)
            }
        }

        @inline(__always)
        private func map(_ columns: UnsafePointer<UInt64>, to result: UnsafeMutablePointer<UInt64>, words: Int) {
            result.update(from: columns + shape.transfers * words, count: Self.bits * words)
            // Four columns at a time have sixteen sums. Each bit of the result takes one of them (Arlazarov, Dinic, Kronrod,
            // Faradzev, 1970: "the four Russians").
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 16 * words) { sums in
                guard let sums = sums.baseAddress else { preconditionFailure("a buffer without memory") }
                defer { wipe(UnsafeMutableRawBufferPointer(start: sums, count: 16 * words * 8)) }
                selections.withUnsafeBufferPointer { selections in
                    guard let selections = selections.baseAddress else { preconditionFailure("no selections") }
                    for group in 0..<(shape.transfers / 4) {
                        Self.fill(sums, columns + 4 * group * words, words: words)
                        let shift = UInt64(4 * (group % 16))
                        for bit in 0..<Self.bits {
                            let selected = Int(selections[bit * selectionWords + group / 16] >> shift & 15)
                            for word in 0..<words { result[bit * words + word] ^= sums[selected * words + word] }
                        }
                    }
                }
            }
        }

        /// Writes the sums of each set of four columns.
        @inline(__always)
        private static func fill(
            _ sums: UnsafeMutablePointer<UInt64>, _ columns: UnsafePointer<UInt64>, words: Int
        ) {
            for word in 0..<words { sums[word] = 0 }
            for place in 0..<4 {
                let count = 1 << place
                for set in 0..<count {
                    for word in 0..<words {
                        sums[(count + set) * words + word] = sums[set * words + word] ^ columns[place * words + word]
                    }
                }
            }
        }

        /// Maps one row, the choice. It is secret, so each of its bits becomes a mask.
        func map(choice: UnsafePointer<UInt64>) -> (low: UInt64, high: UInt64) {
            var low = choice[selectionWords]
            var high = choice[selectionWords + 1]
            powers.withUnsafeBufferPointer { powers in
                for word in 0..<selectionWords {
                    for bit in 0..<64 {
                        let mask = 0 &- (choice[word] >> UInt64(bit) & 1)
                        low ^= powers[2 * (64 * word + bit)] & mask
                        high ^= powers[2 * (64 * word + bit) + 1] & mask
                    }
                }
            }
            return (low, high)
        }
    }
}
