/// Sentences in lines that no terminal breaks: what goes on stands behind blanks, so that words of others in it cannot look like a line
/// of ours. A word that is longer than a line is broken too.
package enum Wrapped {
    package static func text(_ text: String) -> String { Self.text(text, columns: TerminalWidth.sentenceColumns) }

    /// - Parameter columns: of the terminal.
    package static func text(_ text: String, columns: Int) -> String {
        // Not the last column: some terminals go on to the next row once it is full.
        lines(text, room: max(columns - 1, 2 * indent.count), indent: indent.count).joined(separator: "\n" + indent)
    }

    /// The lines themselves, nothing before any of them.
    ///
    /// - Parameters:
    ///   - room: columns of a line.
    ///   - indent: how many of them stand before each line but the first.
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

    /// The word in pieces that fit into a line each.
    ///
    /// - Parameter isFirst: whether it begins the text, where nothing stands before it.
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

    /// Columns that a text takes at most: what is not ASCII may take two.
    private static func width(of text: Substring) -> Int { text.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) } }
}
