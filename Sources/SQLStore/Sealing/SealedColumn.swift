/// A column whose values are sealed, and the statements by which they are sealed anew. The place of a value is its table, its
/// column and the key of its row.
package struct SealedColumn: Sendable {
    let table: StaticString
    let column: StaticString
    let next: SQL
    let change: SQL
    let keepsUnreadable: Bool

    /// - Parameters:
    ///   - next: finds the keys and the sealed values of the rows after the key `$1`, in the order of their keys: `$2` rows at most,
    ///     and none whose value is null.
    ///   - change: puts the value `$1` into the row with the key `$2`, if its value still is `$3`.
    ///   - keepsUnreadable: whether values that cannot be opened are left as they are: those of a table whose reader sets
    ///     damaged rows aside. Otherwise such a value ends the sealing with an error.
    package init(
        table: StaticString, column: StaticString, next: SQL, change: SQL, keepsUnreadable: Bool = false
    ) {
        self.keepsUnreadable = keepsUnreadable
        self.table = table
        self.column = column
        self.next = next
        self.change = change
    }
}
