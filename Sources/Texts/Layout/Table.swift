/// A table with aligned columns, two spaces apart.
package struct Table {
    package let text: String

    /// Creates a table.
    ///
    /// - Parameter right: the columns that are aligned right; the others are aligned left.
    package init(_ rows: [[String]], alignedRight right: Set<Int> = []) {
        let columns = rows.map(\.count).max() ?? 0
        // The last cell of a row needs no padding.
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count - (right.contains(column) ? 0 : 1) ? $0[column].count : 0 }.max() ?? 0
        }
        text = rows.map { row in
            row.enumerated().map { column, cell in
                if column == row.count - 1, !right.contains(column) { return cell }
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return right.contains(column) ? space + cell : cell + space
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
