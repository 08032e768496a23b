/// Rows of tables and sentences in a terminal of limited width. A row that is too long is broken between words, and
/// continues below its last cell.
package enum Fitted {
    /// Breaks the rows that are too long. A word that is longer than the terminal is wide stands on rows of its own and
    /// stays whole, so that it can be copied.
    ///
    /// - Parameter columns: the width of the terminal.
    package static func text(_ text: String, columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { row in
            // The last column stays empty: some terminals move to the next row when it is filled.
            row.count < columns ? [String(row)] : rows(row, most: max(columns - 1, least))
        }.joined(separator: "\n")
    }

    /// The minimum width: rows are not broken for a narrower terminal.
    private static let least = 10

    private static func rows(_ row: Substring, most: Int) -> [String] {
        let lead = row.prefix { $0 == " " }.count
        let cell = lastCell(of: row)
        // A cell that begins far to the right would have no room.
        let isCell = cell > lead && cell <= most / 2
        let isItem = row.dropFirst(lead).starts(with: #/[0-9]+\. /#)
        let hanging = isCell ? cell : isItem ? lead + 3 : min(lead + 4, most / 4)
        var rows = [String(row.prefix(isCell ? cell : lead))]
        var isEmpty = true
        for word in row.dropFirst(isCell ? cell : lead).split(separator: " ") {
            if !isEmpty, rows[rows.count - 1].count + 1 + word.count <= most {
                rows[rows.count - 1] += " " + word
            } else if isEmpty, rows[rows.count - 1].count + word.count <= most {
                rows[rows.count - 1] += word
            } else {
                let indent = [hanging, min(lead + 2, hanging)].first { $0 + word.count <= most } ?? 0
                if isEmpty, rows[rows.count - 1].allSatisfy({ $0 == " " }) { rows.removeLast() }
                rows.append(String(repeating: " ", count: indent) + word)
            }
            isEmpty = false
        }
        return rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
    }

    /// Returns the column at which the last cell of a table's row begins: after two or more spaces.
    private static func lastCell(of row: Substring) -> Int {
        let characters = Array(row)
        var start = 0
        for index in characters.indices.dropFirst(2)
        where characters[index] != " " && characters[index - 1] == " " && characters[index - 2] == " " {
            start = index
        }
        return start
    }
}
