package import DisplayText

/// A text for a person that another language can replace: an English template, and the values in it.
///
/// A literal makes one: `"there is no wallet '\(name)'"` has the template `there is no wallet '{1}'`. The template is the
/// key of the translations, so the English text stands where it is used, and nowhere else. A phrase in a phrase is
/// translated on its own.
package struct Phrase: Sendable, Equatable {
    /// A value in a template.
    package enum Argument: Sendable, Equatable {
        /// A name, a number, a path: the same in every language.
        case value(String)
        /// A part that is translated.
        case phrase(Phrase)
    }

    /// The English text, with `{1}`, `{2}` in place of the values.
    package let template: String
    /// The values, in the order of the English text.
    package let arguments: [Argument]

    package init(template: String, arguments: [Argument]) {
        self.template = template
        self.arguments = arguments
    }

    /// Creates a phrase without a translation: the words of a library, or of another program.
    package init(untranslated text: String) {
        self.init(template: "{1}", arguments: [.value(text)])
    }

    /// Creates the phrase of a library's clause.
    package init(_ clause: Clause) {
        self.init(
            template: clause.template,
            arguments: clause.arguments.map { argument in
                switch argument {
                case .value(let value): .value(value)
                case .clause(let clause): .phrase(Phrase(clause))
                }
            })
    }

    /// The text in English.
    package var english: String { text(in: .english) }

    /// Returns the text in a language, and in English where the language has no translation.
    package func text(in language: Language) -> String {
        let template = language.translations[template] ?? template
        var text = ""
        var rest = template[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start]
            let number = Int(rest[rest.index(after: start)..<end])
            if let number, arguments.indices.contains(number - 1) {
                switch arguments[number - 1] {
                case .value(let value): text += value
                case .phrase(let phrase): text += phrase.text(in: language)
                }
            } else {
                text += rest[start...end]
            }
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    /// The templates of this phrase and of the phrases in it. A template without a word needs no translation.
    package var templates: Set<String> {
        var all: Set<String> = Phrase.hasWord(template) ? [template] : []
        for case .phrase(let phrase) in arguments { all.formUnion(phrase.templates) }
        return all
    }

    /// Returns the numbers of the values in a template: `[1, 2]`.
    package static func placeholders(in template: String) -> Set<String> {
        Set(template.matches(of: /\{[0-9]+\}/).map { String($0.output) })
    }

    private static func hasWord(_ template: String) -> Bool { template.contains(where: \.isLetter) }

    package static func + (left: Phrase, right: Phrase) -> Phrase {
        let shift = left.arguments.count
        let moved = right.template.replacing(/\{([0-9]+)\}/) { match in
            Int(match.output.1).map { "{\($0 + shift)}" } ?? String(match.output.0)
        }
        return Phrase(template: left.template + moved, arguments: left.arguments + right.arguments)
    }
}

extension Phrase: CustomStringConvertible {
    /// The text in English.
    package var description: String { english }
}

extension Phrase {
    /// Joins phrases by "and".
    package init(allOf phrases: [Phrase]) {
        self = phrases.dropLast().reversed().reduce(phrases.last ?? "") { rest, first in "\(first) and \(rest)" }
    }

    /// Joins phrases by "or".
    package init(oneOf phrases: [Phrase]) {
        self = phrases.dropLast().reversed().reduce(phrases.last ?? "") { rest, first in "\(first) or \(rest)" }
    }

    /// Joins phrases by a sign that is the same in every language.
    package init(joining phrases: [Phrase], by separator: String) {
        let numbers = phrases.indices.map { "{\($0 + 1)}" }
        self.init(template: numbers.joined(separator: separator), arguments: phrases.map { .phrase($0) })
    }
}
