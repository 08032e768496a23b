internal import Secrets

/// ``EnglishWords`` for look-ups whose time and cache use do not reveal the word.
///
/// A word is one number: its letters, at most eight, from the highest byte on.
struct WordList: Sendable {
    static let english = WordList(EnglishWords.text)
    static let longestWord = 8

    /// The words, in the order of the list.
    let words: [UInt64]

    private init(_ text: String) {
        words = text.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }).map {
            let letters = $0.reduce(0) { $0 << 8 | UInt64($1) }
            return letters << UInt64(8 * (Self.longestWord - $0.count))
        }
        precondition(words.count == 2_048, "BIP-39 lists have 2048 words")
    }

    /// Returns a word's position; nil for an unknown word. Every word of the list is examined.
    func index(of word: UInt64) -> UInt16? {
        var index: UInt64 = 0
        var isThere: UInt64 = 0
        for (place, other) in words.enumerated() {
            let same = Self.areEqual(word, other)
            index |= (0 &- same) & UInt64(place)
            isThere |= same
        }
        return isThere == 1 ? UInt16(index) : nil
    }

    /// Returns the word at a position. Every word of the list is examined.
    func word(at index: UInt16) -> UInt64 {
        var word: UInt64 = 0
        for (place, other) in words.enumerated() { word |= (0 &- Self.areEqual(UInt64(index), UInt64(place))) & other }
        return word
    }

    /// Returns the words at these positions, which are 16 bits each, with a separator between them.
    func text(of indices: borrowing SecretBytes, separatedBy separator: UInt8) -> SecretBytes {
        let padded = SecretBytes(fleeting: (Self.longestWord + 1) * (indices.count / 2)) { memory in
            indices.withUnsafeBytes { indices in
                var position = 0
                for index in indices.bindMemory(to: UInt16.self) {
                    let word = word(at: index)
                    for shift in stride(from: 56, through: 0, by: -8) {
                        let letter = UInt8(truncatingIfNeeded: word >> UInt64(shift))
                        if letter != 0 {
                            memory[position] = letter
                            position += 1
                        }
                    }
                    memory[position] = separator
                    position += 1
                }
            }
        }
        let size = padded.withUnsafeBytes { $0.lastIndex(of: separator) } ?? 0
        // Zeros follow the last word's separator.
        return padded.prefix(size)
    }

    /// Returns 1 or 0, without a branch.
    private static func areEqual(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let difference = left ^ right
        return ((difference | (0 &- difference)) >> 63) ^ 1
    }
}
