/// Untrusted text in rows that fit a terminal. Each row begins with a mark that nothing else begins with, so that the
/// text cannot imitate a line of this program:
///
/// ```text
///   | contents: 'The first line of a text, which is longer than the
///   |   + terminal is wide
///   |   | and its second line'
/// ```
///
/// A bar begins a line, and a plus begins a row that continues a line. `rl` is at the left of a row with right-to-left
/// letters: a terminal that reorders them then keeps the marks in place.
public struct TextBlock: Sendable {
    /// The rows, each beginning with its mark.
    public let rows: [String]

    /// The minimum number of columns.
    public static let leastColumns = 24
    /// The number of levels that are shown by indentation, if there is room; deeper ones have a number.
    private static let indentedLevels = 4
    private static let mark = "  | "

    /// Creates the block of a single text, such as a message.
    ///
    /// - Parameter columns: the columns of the terminal, at least ``leastColumns``.
    public init(_ text: SanitizedText, columns: Int) {
        rows = Self.rows(text.text, first: Self.mark, next: Self.mark, more: "  + ", columns: columns)
    }

    /// Creates the block of the lines of a document or a call.
    public init(_ lines: [SanitizedLine], columns: Int) {
        let levels = min(Self.indentedLevels, max(0, (columns - 20) / 6))
        rows = lines.flatMap { line in
            let indent = Self.mark + String(repeating: "  ", count: min(line.depth, levels))
            let level = line.depth > levels ? "(level \(line.depth)) " : ""
            return Self.rows(
                level + line.text, first: indent, next: indent + Self.mark, more: indent + "  + ", columns: columns)
        }
    }

    /// The rows, joined by line feeds.
    public var text: String { rows.joined(separator: "\n") }

    /// Breaks a text into rows.
    ///
    /// - Parameters:
    ///   - first: the text before the first row.
    ///   - next: the text before the first row of another line.
    ///   - more: the text before a row that continues a line.
    private static func rows(
        _ text: String, first: String, next: String, more: String, columns: Int
    ) -> [String] {
        var rows: [String] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var start = number == 0 ? first : next
            for piece in pieces(of: line, start.utf8.count, more.utf8.count, columns: max(columns, leastColumns)) {
                let isFromRight = piece.unicodeScalars.contains(where: Direction.isStated)
                rows.append((isFromRight ? "rl" + start.dropFirst(2) : start) + piece)
                start = more
            }
        }
        return rows
    }

    /// Splits the line into pieces that fit after their prefixes: at a blank if one is near.
    private static func pieces(of line: Substring, _ first: Int, _ more: Int, columns: Int) -> [String] {
        var pieces: [String] = []
        var piece: [Letter] = []
        var width = 0
        // The last column stays free, because some terminals wrap when it is full. The one before is for a blank at the
        // end of a row.
        var room = columns - 2 - first
        for letter in letters(of: line) {
            if width + letter.width > room + (letter.isBlank ? 1 : 0), !piece.isEmpty {
                // A long word is split anywhere.
                let end = piece.lastIndex(where: \.isBlank).map { $0 + 1 } ?? 0
                let cut = end > room / 2 ? end : piece.count
                pieces.append(string(piece[..<cut]))
                piece.removeFirst(cut)
                width = piece.reduce(0) { $0 + $1.width }
                room = columns - 2 - more
            }
            piece.append(letter)
            width += letter.width
        }
        return pieces + [string(piece[...])]
    }

    /// A character with its marks.
    private struct Letter {
        var scalars: [Unicode.Scalar]
        /// The maximum number of columns: a character outside ASCII takes two in some terminals, and an unknown mark
        /// takes one.
        var width: Int
        var isBlank: Bool { scalars == [" "] }
    }

    private static func letters(of line: Substring) -> [Letter] {
        var letters: [Letter] = []
        for scalar in line.unicodeScalars {
            let isMark = SanitizedTextWriter.marks.contains(scalar.properties.generalCategory)
            if let last = letters.indices.last,
                isMark || scalar.properties.isEmojiModifier && letters[last].scalars.count == 1
            {
                letters[last].scalars.append(scalar)
                letters[last].width += scalar.properties.generalCategory == .nonspacingMark ? 1 : 2
            } else {
                letters.append(Letter(scalars: [scalar], width: scalar.isASCII ? 1 : 2))
            }
        }
        return letters
    }

    private static func string(_ letters: ArraySlice<Letter>) -> String {
        var text = String.UnicodeScalarView()
        for letter in letters { text.append(contentsOf: letter.scalars) }
        return String(text)
    }
}
