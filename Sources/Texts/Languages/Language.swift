internal import Encoding

/// A language of the errors. Programs read the codes and the JSON, which are English in every language.
package struct Language: Sendable, Equatable {
    /// The language's two letters (ISO 639-1).
    package let code: String
    /// The translations of the English templates.
    package let translations: [String: String]

    package static let english = Language(code: "en", translations: [:])
    package static let german = Language(code: "de", translations: read(PackageResources.errors_de_json))

    /// Reads the language that a person asked for with `FUEKI_LANG`; English if it names another one, or is not set.
    ///
    /// The variables of the system (`LC_MESSAGES`, `LANG`) do not count as long as German is incomplete: a person who did
    /// not ask for it would get two languages in one answer.
    package init(environment: (String) -> String?) {
        // `de_DE.UTF-8`: the language ends at the territory, the encoding or the variant.
        let name = environment("FUEKI_LANG").map { $0.prefix { $0.isLetter }.lowercased() }
        self = name == Self.german.code ? .german : .english
    }

    init(code: String, translations: [String: String]) {
        self.code = code
        self.translations = translations
    }

    private static func read(_ file: [UInt8]) -> [String: String] {
        // The file is built into the program, and a test reads it.
        guard let members = try? JSON(decoding: file, limit: file.count).object?.members else {
            preconditionFailure("the translations have to be a JSON object")
        }
        return members.reduce(into: [:]) { $0[$1.name] = $1.value.string }
    }
}
