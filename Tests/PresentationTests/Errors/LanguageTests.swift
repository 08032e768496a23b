import Custody
import DisplayText
import ErrorTestSupport
import Mnemonics
import SecureStorage
import Testing

@testable import Presentation
@testable import Terminal
@testable import Texts

@Suite("Errors in another language")
struct LanguageTests {
    private static let german = Language.german

    /// The failures in which commands show the errors of the libraries.
    private static let failures = Result { () throws -> [Failure] in
        try ErrorSamples.all().flatMap { ErrorSamples.failures(of: $0) } + ErrorSamples.general()
    }

    private static func phrases(_ failures: [Failure]) -> [Phrase] {
        failures.map(\.words) + failures.compactMap(\.advice)
    }

    private static func templates() throws -> Set<String> {
        let others: [Phrase] = ["see below", Failure.badPassphrase("").words]
        let unnamed = phrases(ErrorSamples.severalProposals.map { [$0] } ?? [])
        return (phrases(try failures.get()) + others + unnamed).reduce(into: []) { $0.formUnion($1.templates) }
    }

    @Test("every text of every error has a translation")
    func complete() throws {
        let missing = try Self.templates().subtracting(Self.german.translations.keys).sorted()
        #expect(missing.isEmpty, "errors.de.json lacks:\n\(missing.joined(separator: "\n"))")
    }

    @Test("every translation is of a text that is used, and has the values of that text")
    func sameKeys() throws {
        let unused = Set(Self.german.translations.keys).subtracting(try Self.templates()).sorted()
        #expect(unused.isEmpty, "errors.de.json has texts that no error has:\n\(unused.joined(separator: "\n"))")
        for (english, german) in Self.german.translations {
            #expect(Phrase.placeholders(in: english) == Phrase.placeholders(in: german), "\(english)")
        }
    }

    @Test("a value in a text is a name, a number, a path or the system's own words, and no English clause")
    func values() throws {
        func values(of phrase: Phrase) -> [String] {
            phrase.arguments.flatMap { argument in
                switch argument {
                case .value(let value): [value]
                case .phrase(let phrase): values(of: phrase)
                }
            }
        }
        // The system's words; and an effect of a review, which is English in every language.
        let allowed: Set<String> = ["Input/output error", "No such file or directory", "nothing to others"]
        let found = Set(Self.phrases(try Self.failures.get()).flatMap(values)).filter { value in
            !value.contains(Planted.mark) && !Self.isName(value) && !allowed.contains(value)
        }
        #expect(found.isEmpty, "\(found.sorted().joined(separator: "\n"))")
    }

    /// Whether a value is a name, an option, an amount with its unit, a chain with its number, or a list of names.
    private static func isName(_ value: String) -> Bool {
        let names = value.split(separator: ", ")
        return !value.contains(" ") || value.hasPrefix("--") || names.allSatisfy { !$0.contains(" ") }
            || value.wholeMatch(of: /[0-9.]+ [A-Za-z\/]+|[0-9: +-]+|chain [0-9]+/) != nil
            || value.hasSuffix(")") && value.contains("(ethereum:")
            // A character by its name in Unicode.
            || value.wholeMatch(of: /[A-Z -]+ \(U\+[0-9A-F]+\)/) != nil
    }

    @Test("a translation is one or two short sentences, too, and shows no other value than the English text")
    func plain() throws {
        let rules = TextRules(try DeclaredTypes(targets: ["Texts"]))
        var all: Set<String> = []
        for phrase in Self.phrases(try Self.failures.get()) {
            let text = phrase.text(in: Self.german)
            // A German noun may be the first word.
            let broken = rules.broken(by: text, ignoring: Planted.mark).filter { !$0.hasPrefix("a capital") }
            if !broken.isEmpty { all.insert("\(broken): \(text)") }
        }
        #expect(all.isEmpty, "\(all.sorted().joined(separator: "\n"))")
    }

    @Test("a text without a translation is English")
    func fallback() {
        let phrase: Phrase = "a text of no catalogue, \(3), and \("one" as Phrase)"
        #expect(phrase.text(in: Self.german) == phrase.english)
        #expect(phrase.english == "a text of no catalogue, 3, and one")
        #expect(Phrase(untranslated: "{1} as it is").text(in: Self.german) == "{1} as it is")
    }

    @Test("values keep their places in a translation, whatever they contain")
    func order() {
        let language = Language(code: "xx", translations: ["{1} of {2}": "{2}: {1}"])
        let (first, second) = ("{2}", "b")
        #expect(("\(first) of \(second)" as Phrase).text(in: language) == "b: {2}")
        #expect(("\(first) of" + " \(second)" as Phrase).text(in: language) == "b: {2}")
    }

    @Test(
        "FUEKI_LANG chooses the language, the system's variables do not, and another language is English",
        arguments: [
            ([:], "en"), (["LANG": "de_DE.UTF-8"], "en"), (["LC_ALL": "de", "LC_MESSAGES": "de"], "en"),
            (["FUEKI_LANG": "de"], "de"), (["FUEKI_LANG": "de_AT@euro"], "de"), (["FUEKI_LANG": "DE.UTF-8"], "de"),
            (["FUEKI_LANG": "en", "LANG": "de"], "en"), (["FUEKI_LANG": ""], "en"), (["FUEKI_LANG": "del"], "en"),
        ] as [([String: String], String)])
    func choice(environment: [String: String], code: String) {
        #expect(Language { environment[$0] }.code == code)
    }

    @Test("the code, the exit code and the JSON are the same in every language")
    func stable() {
        let failure = CustodyError.noSuchWallet(name: "savings").failure
        #expect(failure.text(columns: 80, in: Self.german) == "die Wallet 'savings' gibt es nicht")
        #expect(failure.advice?.text(in: Self.german) == "'fueki wallet list' nennt die vorhandenen")
        #expect(failure.text(columns: 80) == "there is no wallet 'savings'")
        #expect(Output.json(of: failure).contains("there is no wallet 'savings'"))
    }

    @Test("words of a node are shown below the message in every language")
    func quoted() {
        let words = SanitizedText("no such thing", limit: 100, lines: .one)
        let failure = Failure(code: .unavailable, name: "refused", message: "it says: \"\(words)\"", quoted: words)
        #expect(failure.text(columns: 80, in: Self.german) == "it says: siehe unten\n  | no such thing")
    }
}
