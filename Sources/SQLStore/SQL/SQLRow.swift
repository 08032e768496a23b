package import Time

/// A row of a statement's result: its columns, by their position in the statement from 0.
package struct SQLRow: Equatable, Sendable {
    let values: [SQLValue]

    init(_ values: [SQLValue]) { self.values = values }

    private subscript(column: Int) -> SQLValue? { values.indices.contains(column) ? values[column] : nil }

    /// Returns the integer in a column.
    ///
    /// - Throws: ``StoreError/unexpectedColumn(_:)`` unless it is an integer; the other readers throw likewise.
    package func integer(_ column: Int) throws(StoreError) -> Int64 {
        guard case .integer(let value)? = self[column] else { throw .unexpectedColumn(column) }
        return value
    }

    package func bytes(_ column: Int) throws(StoreError) -> [UInt8] {
        guard case .bytes(let value)? = self[column] else { throw .unexpectedColumn(column) }
        return value
    }

    package func bytes(_ column: Int, count: Int) throws(StoreError) -> [UInt8] {
        let bytes = try bytes(column)
        guard bytes.count == count else { throw .unexpectedColumn(column) }
        return bytes
    }

    package func text(_ column: Int) throws(StoreError) -> String {
        guard case .text(let value)? = self[column] else { throw .unexpectedColumn(column) }
        return value
    }

    package func flag(_ column: Int) throws(StoreError) -> Bool {
        switch try integer(column) {
        case 0: false
        case 1: true
        default: throw .unexpectedColumn(column)
        }
    }

    package func time(_ column: Int) throws(StoreError) -> Timestamp {
        let value = try integer(column)
        guard abs(value.clamped) <= Timestamp.limit else { throw .unexpectedColumn(column) }
        return Timestamp(milliseconds: value)
    }

    /// Reads an optional column: nil for null; else as `read` does, for example `try row.optional(3, SQLRow.time)`.
    package func optional<Value>(
        _ column: Int, _ read: (SQLRow) -> (Int) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        guard let value = self[column] else { throw .unexpectedColumn(column) }
        return value == .null ? nil : try read(self)(column)
    }
}

extension Int64 {
    /// The number itself; the smallest number, which has no absolute value, becomes the next one.
    fileprivate var clamped: Int64 { self == .min ? .min + 1 : self }
}
