internal import HTTPTypes
internal import ServerHTTP
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

@Suite("The language of the page")
struct PageLanguageTests {
    @Test(
        "is the one that the browser prefers, and English where it prefers none of ours",
        arguments: [
            (nil, "en"), ("", "en"), ("de", "de"), ("de-AT", "de"), ("DE-ch", "de"), ("en-GB,en;q=0.9,de;q=0.8", "en"),
            ("de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7", "de"), ("en;q=0.5, de;q=0.9", "de"), ("fr, de;q=0.3", "de"),
            ("fr", "en"), ("*", "en"), ("de;q=0.5, *;q=0.1", "de"), ("de;q=0, en;q=0.1", "en"), ("de;q=0", "en"),
            ("en,de", "en"), ("de,en", "de"), ("de;q=2", "en"), ("de;q=nan", "en"), ("de;q=", "en"), ("de;x=1", "en"),
            ("den", "en"), (" de ; q=1", "de"), ("de; q =1", "en"), (",,,;;,de", "de"),
            (String(repeating: "fr,", count: 40) + "de", "en"),
        ] as [(String?, String)])
    func preferred(_ header: String?, _ language: String) {
        #expect(PageLanguage.preferred(by: header).rawValue == language)
    }

    @Test(
        "is the one that the user chose on the page, if the cookie has one",
        arguments: [
            (nil, nil), ("", nil), ("language=de", "de"), ("a=b; language=en; c=d", "en"), ("language=fr", nil),
            ("language=", nil), ("language", nil), ("Language=de", nil), ("other-language=de", nil),
            ("language=fr; language=de", "de"), (" language = de ", "de"), ("language=de=en", nil), ("=de", nil),
            (String(repeating: "a=b;", count: 64) + "language=de", nil),
        ] as [(String?, String?)])
    func chosen(_ header: String?, _ language: String?) {
        #expect(PageLanguage.chosen(in: header)?.rawValue == language)
    }

    @Test("the choice comes before the browser's preference, and the document offers the others by their own names")
    func choice() async throws {
        try await TestServer.with { server in
            for (chosen, other, name) in [("de", "en", "English"), ("en", "de", "Deutsch")] {
                let answer = try await server.send(
                    .get, "/", headers: [.acceptLanguage: other, .cookie: "language=\(chosen)"])
                #expect(answer.headers[.contentLanguage] == chosen)
                #expect(answer.text.contains("<html lang=\"\(chosen)\">"))
                #expect(answer.text.contains("lang=\"\(other)\" data-language=\"\(other)\">\(name)</button>"))
                #expect(!answer.text.contains("data-language=\"\(chosen)\""))
            }
            #expect(try await server.send(.get, "/").headers[.setCookie] == nil)
        }
    }

    @Test("is said by the answer and by the document; each has a tag of its own")
    func document() async throws {
        try await TestServer.with { server in
            var tags: [String: String] = [:]
            for language in PageLanguage.allCases {
                let asked: HTTPFields = [.acceptLanguage: language.rawValue]
                let answer = try await server.send(.get, "/", headers: asked)
                #expect(answer.headers[.contentLanguage] == language.rawValue)
                #expect(answer.headers[.vary] == "Accept-Language, Cookie")
                #expect(answer.text.contains("<html lang=\"\(language.rawValue)\">"))
                #expect(answer.text.contains("/assets/texts.\(language.rawValue).js"))
                let title = PageTexts(language).text("welcome.title", service: "Fueki")
                #expect(answer.text.contains("<h1 id=\"welcome-title\" tabindex=\"-1\">\(title)</h1>"))
                tags[language.rawValue] = answer.headers[.eTag]
                // What one language has is not what another one is.
                for other in PageLanguage.allCases {
                    let again = try await server.send(
                        .get, "/", headers: asked + [.ifNoneMatch: tags[other.rawValue] ?? "\"x\""])
                    #expect(again.status == (other == language ? 304 : 200))
                    #expect(again.headers[.vary] == "Accept-Language, Cookie")
                }
            }
            #expect(Set(tags.values).count == PageLanguage.allCases.count)
            #expect(try await server.send(.get, "/").headers[.contentLanguage] == "en")
            // The rest is the same for every language.
            #expect(try await server.send(.get, "/assets/page.js").headers[.vary] == nil)
        }
    }
}
