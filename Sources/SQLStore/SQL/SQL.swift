/// A statement that both databases understand. It can only be written down in the source: there is no way to make one from
/// a text that came in, not even by interpolation, which does not compile.
///
/// Values are `$1`, `$2` and so on, numbered in the order of their first use.
package struct SQL: ExpressibleByStringLiteral, Sendable {
    let text: StaticString

    package init(stringLiteral text: StaticString) { self.text = text }

    /// Where the literal lies: the same for every use of one literal, so that what was prepared is found by it.
    var place: UInt { UInt(bitPattern: text.utf8Start) }
}
