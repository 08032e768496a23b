package import DisplayText

extension Phrase: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(template: text, arguments: []) }

    package init(stringInterpolation: StringInterpolation) {
        self.init(template: stringInterpolation.template, arguments: stringInterpolation.arguments)
    }

    /// Collects the template and the values of a literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var template = ""
        fileprivate var arguments: [Argument] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) { template += text }

        package mutating func appendInterpolation(_ phrase: Phrase) { append(.phrase(phrase)) }

        package mutating func appendInterpolation(_ clause: Clause) { append(.phrase(Phrase(clause))) }

        /// Appends a value, which is the same in every language.
        @_disfavoredOverload
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.value(value.description))
        }

        package mutating func appendInterpolation(_ value: String) { append(.value(value)) }

        private mutating func append(_ argument: Argument) {
            arguments.append(argument)
            template += "{\(arguments.count)}"
        }
    }
}
