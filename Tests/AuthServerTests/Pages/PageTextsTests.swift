internal import AuthSettings
internal import HTTPTypes
internal import ServerHTTP
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

@Suite("The texts of the page")
struct PageTextsTests {
    private static let document = String(decoding: PackageResources.index_html, as: UTF8.self)

    /// The scripts by their names, without comments.
    private static let scripts: [(name: String, text: String)] =
        [
            ("account", PackageResources.account_js), ("codes", PackageResources.codes_js),
            ("dialogs", PackageResources.dialogs_js), ("keys", PackageResources.keys_js),
            ("names", PackageResources.names_js), ("page", PackageResources.page_js),
            ("passkeys", PackageResources.passkeys_js), ("proof", PackageResources.proof_js),
            ("session", PackageResources.session_js), ("timeline", PackageResources.timeline_js),
            ("times", PackageResources.times_js), ("view", PackageResources.view_js),
            ("words", PackageResources.words_js),
        ].map { name, bytes in
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing(/\/\*\*(?s:.*?)\*\//, with: "").replacing(/(?m:^|\s)\/\/.*/, with: "")
            return (name, text)
        }

    /// What stands in quotation marks in a script.
    private static func literals(_ text: String) -> [String] {
        text.matches(of: /"(?<a>[^"\n]*)"|`(?<b>[^`]*)`/).map { String($0.output.a ?? $0.output.b ?? "") }
    }

    private static func values(_ text: String) -> [String] {
        text.matches(of: /\{(\w+)\}/).map { String($0.output.1) }.sorted()
    }

    @Test("have the same keys in every language, each with the same values in its places, and none that is empty")
    func languages() {
        let english = PageTexts(.english).texts
        #expect(english.count > 200)
        for language in PageLanguage.allCases {
            let texts = PageTexts(language).texts
            #expect(Set(texts.keys) == Set(english.keys), "\(language)")
            for (key, text) in texts {
                #expect(!text.isEmpty, "\(language): \(key)")
                #expect(text == text.trimmingBlanks, "\(language): \(key)")
                #expect(Self.values(text) == Self.values(english[key] ?? ""), "\(language): \(key)")
                #expect(!text.contains("<") && !text.contains("{{"), "\(language): \(key)")
            }
        }
        // Names and the like are the same; a sentence that is was forgotten.
        let german = PageTexts(.german).texts
        let same = english.filter { german[$0.key] == $0.value }.map(\.key)
        #expect(Set(same) == ["passkeys.title", "names.passkey", "confirm.name"])
    }

    @Test("are those that the document and the scripts name, and no others")
    func keys() {
        let texts = PageTexts(.english).texts
        var named = Set(Self.document.matches(of: /\{\{([a-z][^}]*)\}\}/).map { String($0.output.1) })
        for (script, text) in Self.scripts {
            for key in texts.keys where text.contains("\"\(key)\"") { named.insert(key) }
            for match in text.matches(of: /\btext\("([^"]+)"/) {
                #expect(texts[String(match.output.1)] != nil, "\(script).js: \(match.output.1)")
            }
        }
        for key in named { #expect(texts[key] != nil, "\(key)") }
        // By the code of a problem, the name of an error, the form of a number, and so on.
        let computed = [
            "problem.", "browser.", "event.", "wait.", "strength.", "time.seconds.", "time.minutes.", "codes.few.",
        ]
        for key in texts.keys where !computed.contains(where: { key.hasPrefix($0) }) {
            #expect(named.contains(key), "\(key) is in the texts and not used")
        }
    }

    @Test("are in no other place: the document has placeholders only, and the scripts have none")
    func hardCoded() throws {
        let body = Self.document.replacing(/\{\{[^}]*\}\}/, with: "")
        #expect(body.replacing(/<[^>]*>/, with: "").firstMatch(of: /\p{L}/) == nil)
        for attribute in ["aria-label", "alt", "title", "placeholder", "data-busy"] {
            for match in try body.matches(of: Regex(" \(attribute)=\"([^\"]*)\"")) {
                #expect(match.output[1].substring == "", "\(attribute)")
            }
        }
        // A selector, classes, a word of the interface, a name.
        let allowed = ["#notices button", "quiet small", "all others", "Chromium"]
        for (script, text) in Self.scripts {
            // Names of products are the same in every language.
            let lines = text.split(separator: "\n").filter {
                !(script == "names" && ($0.contains(/^\s+"[0-9a-f-]{36}":/) || $0.contains("[[\"")))
            }
            for literal in Self.literals(lines.joined(separator: "\n")) where !allowed.contains(literal) {
                let words = literal.replacing(/\$\{[^}]*\}/, with: "")
                #expect(words.firstMatch(of: #/\p{L}{2,} \p{L}{2,}/#) == nil, "\(script).js: \(literal)")
                #expect(words.firstMatch(of: #/^\p{Lu}\p{Ll}+( |$|\.|:)/#) == nil, "\(script).js: \(literal)")
            }
        }
    }

    @Test("are put in once: a name with the marks of a placeholder stays a name")
    func marks() async throws {
        try await TestServer.with(changing: { $0.relyingParty.name = "{{$logo}} {service} {{x" }) { server in
            let page = try await server.send(.get, "/").text
            #expect(page.contains("<title>Sign in to {{$logo}} {service} {{x</title>"))
        }
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
