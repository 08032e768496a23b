/// Words as tables have them.
enum Words {
    static func lowercased(_ word: some Sequence<UInt8>) -> String {
        String(decoding: word.map(\.lowercased), as: UTF8.self)
    }

    /// Whether a text has a word of sentences or of code.
    static func hasProse(_ text: ScannedText.SubSequence) -> Bool {
        text.split(whereSeparator: { !$0.isLetter }).contains {
            $0.count <= 10 && SecretNames.proseWords.contains(lowercased($0))
        }
    }

    /// Whether a text is the name of a secret itself, as in `password: newPassword`.
    static func isName(_ text: ScannedText.SubSequence, _ words: KeyWords.Tables) -> Bool {
        let letters = text.filter(\.isLetter).map(\.lowercased)
        guard letters.count >= 2 else { return false }
        return (2...min(letters.count, KeyWords.longestWord)).contains {
            ($0 > 3 || letters.count == $0) && words.endings.contains(KeyWords.packed(letters.suffix($0)))
        }
    }
}
