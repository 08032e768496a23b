/// Sentences in lines that fit the terminal. Continuation lines are indented, so that foreign text cannot look like a
/// line of this program. A word longer than a line is broken, too.
package enum Wrapped {
    /// Wraps a text.
    ///
    /// - Parameter columns: the width of the terminal.
    package static func text(_ text: String, columns: Int) -> String {
        // The last column stays empty: some terminals move to the next row when it is filled.
        lines(text, room: max(columns - 1, 2 * indent.count), indent: indent.count).joined(separator: "\n" + indent)
    }

    /// Returns the lines without indentation.
    ///
    /// - Parameters:
    ///   - room: the width of a line.
    ///   - indent: the columns before each line except the first.
    package static func lines(_ text: String, room: Int, indent: Int = 0) -> [String] {
        var lines: [String] = []
        var width = 0
        for word in text.split(separator: " ") {
            let size = Self.width(of: word)
            if !lines.isEmpty, width + 1 + size <= room {
                lines[lines.count - 1] += " " + word
                width += 1 + size
                continue
            }
            for piece in pieces(of: word, room: room, indent: indent, isFirst: lines.isEmpty) {
                width = (lines.isEmpty ? 0 : indent) + Self.width(of: piece)
                lines.append(String(piece))
            }
        }
        return lines
    }

    private static let indent = "    "

    /// Splits a word into pieces that fit into a line each.
    ///
    /// - Parameter isFirst: whether the word begins the text, where the line has no indentation.
    private static func pieces(of word: Substring, room: Int, indent: Int, isFirst: Bool) -> [Substring] {
        var pieces: [Substring] = []
        var rest = word
        while !rest.isEmpty {
            let most = room - (isFirst && pieces.isEmpty ? 0 : indent)
            var (size, end) = (0, rest.startIndex)
            while end < rest.endIndex {
                let next = rest.index(after: end)
                size += Self.width(of: rest[end..<next])
                if size > most, end > rest.startIndex { break }
                end = next
            }
            pieces.append(rest[..<end])
            rest = rest[end...]
        }
        return pieces
    }

    /// Returns the highest number of columns that a text can take: a character outside ASCII may take two.
    private static func width(of text: Substring) -> Int { text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) } }
}
