internal import Secrets

/// Words as somebody wrote them, on their way to be numbers.
struct MnemonicReader: ~Copyable {
    /// How many words there are.
    let count: Int
    /// The first word that is not in the list, counted from 1.
    let firstUnknown: Int?
    /// The places of the words in the list, 16 bits each; what is behind the last word is zero.
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

    /// 11 bits of each word, in their order.
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

    /// ASCII's white space: NFKD has already made a space of the wide one that is between Japanese words, and of the others.
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
            // A zero is how a word ends in `letters`: with one inside, it is no word.
            size += byte == 0 ? WordList.longestWord + 1 : 1
        }
    }
}
