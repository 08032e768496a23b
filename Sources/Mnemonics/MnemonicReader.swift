internal import Secrets

/// Words as a user wrote them, to be converted to numbers.
struct MnemonicReader: ~Copyable {
    /// The number of words.
    let count: Int
    /// The position of the first unknown word, counted from 1; nil if all are known.
    let firstUnknown: Int?
    /// The words' positions in the list, 16 bits each; zeros after the last word.
    private let indices: SecretBytes

    private static let most = Mnemonic.WordCount.twentyFour.rawValue

    init(of text: borrowing SecretBytes) throws(Mnemonic.Fault) {
        let normalised = try Mnemonic.normalised(text)
        var (words, unknown) = (0, Int?.none)
        indices = SecretBytes(fleeting: 2 * Self.most) { memory in
            let indices = memory.bindMemory(to: UInt16.self)
            func end(of word: Word) {
                guard word.size > 0 else { return }
                words += 1
                if let index = WordList.english.index(of: word.letters), word.size <= WordList.longestWord {
                    if words <= Self.most { indices[words - 1] = index }
                } else if unknown == nil {
                    unknown = words
                }
            }
            normalised.withUnsafeBytes { text in
                var word = Word()
                for byte in text {
                    if Self.isSpace(byte) {
                        end(of: word)
                        word = Word()
                    } else {
                        word.append(byte)
                    }
                }
                end(of: word)
            }
        }
        count = words
        firstUnknown = unknown
    }

    /// Returns 11 bits of each word, in order.
    borrowing func bits(size: Int) -> SecretBytes {
        SecretBytes(fleeting: size) { memory in
            indices.withUnsafeBytes { indices in
                for (place, index) in indices.bindMemory(to: UInt16.self).prefix(count).enumerated() {
                    for offset in 0..<11 {
                        let bit = 11 * place + offset
                        memory[bit / 8] |= UInt8(index >> UInt16(10 - offset) & 1) << UInt8(7 - bit % 8)
                    }
                }
            }
        }
    }

    /// Returns whether the byte is ASCII's white space: NFKD has already converted all other kinds.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }

    private struct Word {
        /// The first eight bytes, in lower case.
        var letters: UInt64 = 0
        var size = 0

        mutating func append(_ byte: UInt8) {
            if size < WordList.longestWord {
                let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                letters |= UInt64(isUpper ? byte | 0x20 : byte) << UInt64(56 - 8 * size)
            }
            // A zero marks the end of a word in `letters`, so a word that contains one is unknown.
            size += byte == 0 ? WordList.longestWord + 1 : 1
        }
    }
}
