internal import Encoding

/// The texts of the pages in one language, by the keys that the document and the scripts use.
struct PageTexts: Sendable {
    let language: PageLanguage
    /// The texts by their keys. A name in braces, as in `{service}`, is replaced by a value.
    let texts: [String: String]
    /// The texts as a JavaScript module, for the scripts.
    let module: [UInt8]

    init(_ language: PageLanguage) {
        let file =
            switch language {
            case .english: PackageResources.texts_en_json
            case .german: PackageResources.texts_de_json
            }
        // The files are built into the program, and a test reads both.
        guard let members = try? JSON(decoding: file, limit: file.count).object?.members else {
            preconditionFailure("the texts of a language have to be a JSON object")
        }
        self.language = language
        texts = members.reduce(into: [:]) { $0[$1.name] = $1.value.string }
        module = Array("export default ".utf8) + file
    }

    /// Returns a text with the operator's name in it.
    func text(_ key: String, service: String) -> String {
        guard let text = texts[key] else { preconditionFailure("the document names a text that is not there: \(key)") }
        return text.replacing("{service}", with: service)
    }
}
