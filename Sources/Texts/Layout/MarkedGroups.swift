/// A text in groups of four characters, with a mark below some of them:
///
/// ```text
///   bc1q w508 d6qe jztd g4y5 r3za rvar y0c5
///                   ^
/// ```
package struct MarkedGroups: Sendable {
    private let characters: [Character]
    private let marks: Set<Int>

    /// - Parameters:
    ///   - text: the text, which may be hostile: each character that is not visible ASCII is replaced by one sign.
    ///   - offsets: the positions of the marked characters, from the start of the text.
    package init(_ text: String, marking offsets: [Int]) {
        characters = text.prefix(Self.most).map { character in
            character.asciiValue.map { (33...126).contains($0) } ?? false ? character : "\u{FFFD}"
        }
        marks = Set(offsets)
    }

    /// Returns lines of groups, each with a line of marks below it if it has marks.
    ///
    /// - Parameter columns: the width of the terminal.
    package func rows(columns: Int) -> [String] {
        // Eight groups take 41 columns, and the last column stays free.
        let room = columns < 44 ? 16 : 32
        return stride(from: 0, to: characters.count, by: room).flatMap { start -> [String] in
            let line = start..<min(start + room, characters.count)
            var (text, below) = ("  ", "  ")
            for offset in line {
                if offset > start, offset.isMultiple(of: 4) {
                    text += " "
                    below += " "
                }
                text.append(characters[offset])
                below += marks.contains(offset) ? "^" : " "
            }
            return below.contains("^") ? [text, String(below.reversed().drop { $0 == " " }.reversed())] : [text]
        }
    }

    /// The maximum number of characters that are shown; every address is shorter.
    private static let most = 128
}
