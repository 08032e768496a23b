/// Rows whose columns are aligned, two spaces apart.
package struct Table {
    package let text: String

    /// - Parameter right: the columns whose cells end in line; all others begin in line.
    package init(_ rows: [[String]], alignedRight right: Set<Int> = []) {
        let columns = rows.map(\.count).max() ?? 0
        // The last cell of a row needs no room beside it.
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
