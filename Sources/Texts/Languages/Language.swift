internal import Encoding

/// A language of the errors. Programs read the codes and the JSON, which are English in every language.
package struct Language: Sendable, Equatable {
    /// The language's two letters (ISO 639-1).
    package let code: String
    /// The translations of the English templates.
    package let translations: [String: String]

    package static let english = Language(code: "en", translations: [:])
    package static let german = Language(code: "de", translations: read(PackageResources.errors_de_json))

    /// Chooses the language of a person: the first of these variables that is set and not empty decides, as in POSIX.
    /// English if it names another language.
    package init(environment: (String) -> String?) {
        let value = ["FUEKI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        // `de_DE.UTF-8`: the language ends at the territory, the encoding or the variant.
        let name = value.map { $0.prefix { $0.isLetter }.lowercased() }
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
