/// A statement for both databases. It can only be a literal in the source: it cannot be made of run-time text, and
/// interpolation does not compile.
///
/// Values are `$1`, `$2` and so on, numbered in the order of their first use.
package struct SQL: ExpressibleByStringLiteral, Sendable {
    private let first: StaticString
    private let others: [StaticString]

    package init(stringLiteral text: StaticString) { (first, others) = (text, []) }

    /// Joins literals by spaces: for a part that several statements share, such as a list of columns.
    package init(joining first: StaticString, _ others: StaticString...) { (self.first, self.others) = (first, others) }

    var text: String { others.reduce("\(first)") { "\($0) \($1)" } }

    /// The addresses of a statement's literals.
    struct Place: Hashable {
        fileprivate let first: UInt
        fileprivate let others: [UInt]
    }

    /// The addresses of the literals: the same for every use of the same ones, so that prepared statements are found by
    /// them.
    var place: Place {
        Place(
            first: UInt(bitPattern: first.utf8Start),
            others: others.isEmpty ? [] : others.map { UInt(bitPattern: $0.utf8Start) })
    }
}
