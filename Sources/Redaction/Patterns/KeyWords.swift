internal import Mnemonics

/// The words that tell what stands next to them. Up to eight letters are one number, the last one in its lowest byte.
enum KeyWords {
    static let longestWord = 8
    /// How far before a number of 64 digits a word may stand that makes it a private key, in bytes.
    static let reach = 48

    /// Sets that a scan asks for every word.
    struct Tables {
        /// The words of BIP-39's list.
        let mnemonic = WordTable(
            EnglishWords.text.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }).map(
                packed))
        /// Schemes of HTTP authentication whose credentials are one token.
        let schemes = WordTable(["bearer", "basic", "dpop"].map { packed($0.utf8) })
        let tokens = TokenTable(TokenKind.all)
        let endings = WordTable(Array(SecretNames.kinds.keys))
        /// One bit for each two letters that an ending ends with: most names end in others.
        let lastLetters: [UInt64] = {
            var bits = [UInt64](repeating: 0, count: 1 << 10)
            for ending in SecretNames.kinds.keys { bits[Int(ending & 0xFFFF) >> 6] |= 1 << (ending & 63) }
            return bits
        }()
    }

    static let tables = Tables()

    static func packed(_ letters: some Sequence<UInt8>) -> UInt64 { letters.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Whether a text calls what stands at a place a private key.
    static func arePrivate(before end: Int, in text: ScannedText) -> Bool {
        var (letters, place) = (UInt64(0), max(0, end - reach))
        if text[place..<end].suffix(7).elementsEqual("sha256:".utf8) { return false }
        // A word on the line before counts if that line announces the number.
        if let line = text[place..<end].lastIndex(of: 0x0A), line > place, text[line - 1] != UInt8(ascii: ":") {
            place = line + 1
        }
        while place < end {
            if let size = RedactedKind.marker(at: place, in: text) {
                // The words of a marker are nobody's.
                (letters, place) = (0, place + size)
                continue
            }
            letters = letters << 8 | UInt64(text[place].lowercased)
            place += 1
            if letters & 0xFFFF_FFFF == priv || letters & 0xFFFF_FFFF == seed { return true }
            if letters & 0xFFFF_FFFF_FFFF == secret { return true }
        }
        return false
    }

    private static let priv = packed("priv".utf8)
    private static let seed = packed("seed".utf8)
    private static let secret = packed("secret".utf8)
}

/// A set of packed words with one look-up for each question.
struct WordTable {
    private let slots: [UInt64]
    private let shift: UInt64

    init(_ words: [UInt64]) {
        let bits = Int.bitWidth - (8 * words.count).leadingZeroBitCount
        shift = UInt64(UInt64.bitWidth - bits)
        var slots = [UInt64](repeating: 0, count: 1 << bits)
        for word in words {
            var slot = Self.slot(word, shift)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = word
        }
        self.slots = slots
    }

    func contains(_ word: UInt64) -> Bool {
        var slot = Self.slot(word, shift)
        while slots[slot] != 0 {
            if slots[slot] == word { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    private static func slot(_ word: UInt64, _ shift: UInt64) -> Int { Int((word &* 0x9E37_79B9_7F4A_7C15) >> shift) }
}
