/// A clause of a library about an error: an English template, and the values in it.
///
/// It is written as an interpolated literal. ``english`` is the text of the error's description; a program that has
/// translations finds them by ``template``, so that the English text stands in one place.
package struct Clause: Sendable, Equatable {
    /// A value in a template.
    package enum Argument: Sendable, Equatable {
        /// A name, a number, an address: the same in every language.
        case value(String)
        /// A part that is translated.
        case clause(Clause)
    }

    /// The text in English.
    package let english: String
    /// The English text, with `{1}`, `{2}` in place of the values.
    package let template: String
    /// The values, in the order of the English text.
    package let arguments: [Argument]
}

extension Clause: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(english: text, template: text, arguments: []) }

    package init(stringInterpolation parts: StringInterpolation) {
        self.init(english: parts.english, template: parts.template, arguments: parts.arguments)
    }

    /// Collects the template and the values of a literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var english = ""
        fileprivate var template = ""
        fileprivate var arguments: [Argument] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) {
            english += text
            template += text
        }

        package mutating func appendInterpolation(_ clause: Clause) { append(.clause(clause), clause.english) }

        /// Appends a value, which is the same in every language.
        @_disfavoredOverload
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.value(value.description), value.description)
        }

        private mutating func append(_ argument: Argument, _ text: String) {
            arguments.append(argument)
            template += "{\(arguments.count)}"
            english += text
        }
    }
}

extension Clause {
    /// Joins clauses by a sign that is the same in every language.
    package init(joining clauses: [Clause], by separator: String) {
        self.init(
            english: clauses.map(\.english).joined(separator: separator),
            template: clauses.indices.map { "{\($0 + 1)}" }.joined(separator: separator),
            arguments: clauses.map { .clause($0) })
    }
}
