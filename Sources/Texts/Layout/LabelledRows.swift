/// Labels with their values, in lines that fit the terminal:
///
/// ```text
///   to      bc1q w508 d6qe jxtd g4y5 r3za rvar
///           y0c5 xw7k v8f3 t4
///           alice
///   fee     154 sat
/// ```
package struct LabelledRows: Sendable {
    /// A label with its values, each on a line of its own.
    package struct Row: Sendable {
        let label: String
        let values: [String]
        let style: StyledText.Style

        /// Creates a row.
        ///
        /// - Parameter values: the values. A value longer than a line is broken between words.
        package init(_ label: String, _ values: [String], _ style: StyledText.Style = .plain) {
            self.label = label
            self.values = values
            self.style = style
        }
    }

    private let rows: [Row]

    package init(_ rows: [Row]) { self.rows = rows }

    private static let indent = 2

    /// Formats the rows.
    ///
    /// - Parameter columns: the width of the terminal. Beside the longest label there are at least 10 columns.
    package func text(columns: Int) -> StyledText {
        let labels = rows.map(\.label.count).max() ?? 0
        let start = Self.indent + labels + 2
        let room = max(columns - 1 - start, 10)
        return StyledText(
            lines: rows.flatMap { row in
                row.values.flatMap { Wrapped.lines($0, room: room) }.enumerated().map { number, line in
                    let label = number == 0 ? row.label : ""
                    let space = String(repeating: " ", count: start - Self.indent - label.count)
                    return StyledText(
                        String(repeating: " ", count: Self.indent) + label + space,
                        row.style == .faint ? .faint : .plain)
                        + StyledText(line, row.style)
                }
            })
    }
}
