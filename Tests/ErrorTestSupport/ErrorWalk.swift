/// Samples of errors, and the checks of them: each case has a sample, and no text shows a value that it must not show.
public struct ErrorWalk: Sendable {
    /// A reader of texts.
    public enum Reader: Hashable, Sendable {
        /// The person who runs the program, and the program that reads its JSON.
        case person
        /// A developer who prints the error.
        case developer
        /// A reader of the log, who sees no value of an error.
        case log
    }

    /// A text about an error.
    public struct Surface {
        /// Who reads it.
        public let reader: Reader
        /// The name for messages: `hint`.
        public let name: String
        /// The text.
        public let text: String

        /// Creates a surface.
        public init(_ reader: Reader, _ name: String, _ text: String) {
            (self.reader, self.name, self.text) = (reader, name, text)
        }
    }

    /// A value that may be shown.
    public struct Shown: Sendable {
        /// The place of the value, or its type.
        public let place: String
        /// Who may see it. What a person may see, a developer may see, too.
        public let reader: Reader
        /// The reason.
        public let reason: String

        /// Creates an entry.
        public init(_ place: String, to reader: Reader, _ reason: String) {
            (self.place, self.reader, self.reason) = (place, reader, reason)
        }
    }

    /// An error, and what it contains.
    public struct Sample: Sendable {
        /// The error.
        public let error: any Error
        /// What it contains.
        public let contents: ReflectedError
    }

    /// The samples.
    public let samples: [Sample]

    /// Reads the samples.
    public init(_ errors: [any Error], _ terms: ReflectedError.Terms) {
        samples = errors.map { Sample(error: $0, contents: ReflectedError($0, terms)) }
    }

    /// Returns the cases without a sample: those of every declared error, and of every enumeration that a sample
    /// contains. An error that is not an enumeration is missing as a whole.
    public func missing(of declared: DeclaredTypes) -> [String] {
        var seen: [String: Set<String>] = [:]
        var types: Set<String> = []
        for sample in samples {
            types.formUnion(sample.contents.types)
            seen.merge(sample.contents.cases) { $0.union($1) }
        }
        return declared.errors.union(types.intersection(declared.names)).sorted().flatMap { type -> [String] in
            guard let cases = declared.cases[type], !cases.isEmpty else { return types.contains(type) ? [] : [type] }
            return cases.filter { !seen[type, default: []].contains($0) }.map { "\(type).\($0)" }
        }
    }

    /// Returns the places with an array or an optional that has a value in no sample: the cases in it would be missed.
    public var neverFilled: [String] {
        var (filled, empty): (Set<String>, Set<String>) = ([], [])
        for sample in samples {
            filled.formUnion(sample.contents.filled)
            empty.formUnion(sample.contents.empty)
        }
        return empty.subtracting(filled).sorted()
    }

    /// Returns the places with a text that does not have the mark: it could occur in a message by chance.
    public func unmarked(_ mark: String, except types: Set<String>) -> Set<String> {
        Set(
            samples.flatMap(\.contents.leaves).filter {
                !$0.text.isEmpty && !$0.text.contains(mark) && !types.contains($0.type)
            }.map(\.place))
    }

    /// The result of a search for values in texts.
    public struct Findings {
        /// The values that stand where they must not: place, surface and text.
        public internal(set) var leaks: Set<String> = []
        /// The entries that no surface needs.
        public internal(set) var unused: Set<String> = []
    }

    /// Searches the surfaces of each sample for its values.
    public func findings(shown: [Shown], surfaces: (any Error) -> [Surface]) -> Findings {
        var findings = Findings()
        var needed: Set<String> = []
        var spellings: [[UInt8]: Spellings] = [:]
        let entries = Dictionary(shown.map { ($0.place, $0) }) { first, _ in first }
        for sample in samples {
            let texts = surfaces(sample.error)
            for leaf in Set(sample.contents.leaves) where !leaf.bytes.isEmpty {
                let forms = spellings[leaf.bytes] ?? Spellings(of: leaf.bytes)
                spellings[leaf.bytes] = forms
                let entry = entries[leaf.place] ?? entries[leaf.type]
                for surface in texts where forms.occur(in: surface.text) {
                    let isAllowed =
                        switch (surface.reader, entry?.reader) {
                        case (.person, .person?), (.developer, .person?), (.developer, .developer?): true
                        default: false
                        }
                    if !isAllowed { findings.leaks.insert("\(leaf.place) in the \(surface.name): \(surface.text)") }
                    if let entry, surface.reader == entry.reader { needed.insert(entry.place) }
                }
            }
        }
        findings.unused = Set(entries.keys).subtracting(needed)
        return findings
    }
}

/// The rules for a text that a person reads.
public struct TextRules: Sendable {
    private let foreignWords: Set<String>

    /// Creates the rules.
    ///
    /// - Parameter declared: the types whose names, and the names of whose cases, are no words of a text.
    public init(_ declared: DeclaredTypes) {
        let types = declared.names.compactMap { $0.split(separator: ".").last.map(String.init) }
        let cases = declared.cases.values.flatMap { $0 }
        foreignWords = Set((types + cases).filter(Self.hasHump))
    }

    /// The longest sentence, in characters.
    public static let longestSentence = 200
    /// The most sentences of a text.
    public static let mostSentences = 2

    /// Returns the rules that a text breaks.
    ///
    /// - Parameter planted: words of the sample, which are not judged.
    public func broken(by text: String, ignoring planted: String, isWhole: Bool = false) -> [String] {
        var broken: [String] = []
        let sentences = Self.sentences(of: text)
        if sentences.count > Self.mostSentences { broken.append("\(sentences.count) sentences") }
        if let longest = sentences.map(\.count).max(), longest > Self.longestSentence {
            broken.append("a sentence of \(longest) characters")
        }
        if text != text.split(whereSeparator: { $0 == " " }).joined(separator: " ") { broken.append("blanks") }
        if isWhole {
            if text.last.map({ !".?".contains($0) }) ?? true { broken.append("no full stop") }
        } else {
            if text.last.map({ ".:;,?!".contains($0) }) ?? true { broken.append("the end") }
            if Self.beginsWithCapital(text), !text.hasPrefix(planted) { broken.append("a capital at the beginning") }
        }
        for word in Self.words(of: text) where foreignWords.contains(word) && !word.contains(planted) {
            broken.append("the word \(word)")
        }
        return broken
    }

    private static func sentences(of text: String) -> [String] {
        var sentences = [""]
        for character in text {
            sentences[sentences.count - 1].append(character)
            if character == " ", let end = sentences.last?.dropLast().last, ".?!".contains(end) {
                sentences.append("")
            }
        }
        return sentences
    }

    private static func words(of text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }

    /// Whether a capital follows a small letter.
    private static func hasHump(_ word: String) -> Bool {
        zip(word, word.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
    }

    private static func beginsWithCapital(_ text: String) -> Bool {
        guard let first = text.first, first.isUppercase else { return false }
        return text.dropFirst().first?.isLowercase ?? true
    }
}
