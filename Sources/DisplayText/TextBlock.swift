/// Text of others in rows that no terminal breaks. Each row begins with a mark that nothing else begins with, so that none of the
/// text can look like a line of this program's own:
///
/// ```text
///   | contents: 'The first line of a text, which is longer than the
///   |   + terminal is wide
///   |   | and its second line'
/// ```
///
/// A bar stands before a line, and a plus before what goes on in another row. `rl` stands at the very left of a row with letters
/// that are read from right to left: a terminal that orders them then keeps the marks where they are.
public struct TextBlock: Sendable {
    /// The rows, each with its mark in front.
    public let rows: [String]

    /// Rows with less room than this would hold nothing.
    public static let leastColumns = 24
    /// Levels that are told by how far a line is indented, where there is room; deeper ones have a number.
    private static let indentedLevels = 4
    private static let mark = "  | "

    /// A text by itself, such as a message.
    ///
    /// - Parameter columns: of the terminal, of which there are at least ``leastColumns``.
    public init(_ text: SanitizedText, columns: Int) {
        rows = Self.rows(text.text, first: Self.mark, next: Self.mark, more: "  + ", columns: columns)
    }

    /// The lines of a document or a call.
    public init(_ lines: [SanitizedLine], columns: Int) {
        let levels = min(Self.indentedLevels, max(0, (columns - 20) / 6))
        rows = lines.flatMap { line in
            let indent = Self.mark + String(repeating: "  ", count: min(line.depth, levels))
            let level = line.depth > levels ? "(level \(line.depth)) " : ""
            return Self.rows(
                level + line.text, first: indent, next: indent + Self.mark, more: indent + "  + ", columns: columns)
        }
    }

    /// The rows below each other.
    public var text: String { rows.joined(separator: "\n") }

    /// - Parameters:
    ///   - first: before the first row.
    ///   - next: before the first row of another line.
    ///   - more: before a row that goes on with a line.
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

    /// The line in pieces that fit behind what stands before them: broken at a blank where one is near.
    private static func pieces(of line: Substring, _ first: Int, _ more: Int, columns: Int) -> [String] {
        var pieces: [String] = []
        var piece: [Letter] = []
        var width = 0
        // Not the last column: some terminals go on to the next row once it is full. The one before is for a blank, which ends a row.
        var room = columns - 2 - first
        for letter in letters(of: line) {
            if width + letter.width > room + (letter.isBlank ? 1 : 0), !piece.isEmpty {
                // A word that is long by itself is broken anywhere.
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

    /// A character, with the marks that stand on it.
    private struct Letter {
        var scalars: [Unicode.Scalar]
        /// Columns that it takes at most: what is not ASCII takes two in some terminals, and a mark that a terminal does not know
        /// one of its own.
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
