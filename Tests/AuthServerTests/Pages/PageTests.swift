internal import AuthAPI
internal import AuthSettings
internal import Encoding
internal import Hummingbird
internal import ServerHTTP
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

/// Properties of the page that can be tested without a browser.
@Suite("The page")
struct PageTests {
    @Test("the page shows the server's name, and escapes it")
    func serviceName() async throws {
        for (name, written) in [
            ("Observatory", "Observatory"),
            (#"<b>Ada</b> & "co" 'x'"#, "&lt;b&gt;Ada&lt;/b&gt; &amp; &quot;co&quot; &#39;x&#39;"),
            // With the combining mark they are one character each, of another name.
            ("\"\u{338}<\u{338}", "&quot;\u{338}&lt;\u{338}"),
        ] {
            try await TestServer.with(changing: { $0.relyingParty.name = name }) { server in
                let page = try await server.send(.get, "/").text
                #expect(page.contains("<title>Sign in to \(written)</title>"))
                #expect(page.contains(">Sign in to \(written)</h1>"))
                #expect(page.contains("<p class=\"brand\">\(written)</p>"))
                #expect(page.contains("<meta name=\"application-name\" content=\"\(written)\">"))
                #expect(!page.contains("{{"))
            }
        }
    }

    @Test(
        "has a sentence for every problem and every event, and none with words of the protocol",
        arguments: PageLanguage.allCases)
    func words(_ language: PageLanguage) {
        let texts = PageTexts(language).texts
        for code in ProblemCode.allCases {
            #expect(texts["problem.\(code.rawValue)"] != nil, "there is no sentence for \(code.rawValue)")
        }
        for event in SecurityEvent.allCases {
            #expect(texts["event.\(event.rawValue)"] != nil, "there is no sentence for \(event.rawValue)")
        }
        let sentences = texts.values.map { $0.lowercased() }
        for word in ["dpop", "nonce", "retry-after", "aal", "attest", "webauthn", "token", "header", "w3.org", "http"] {
            #expect(sentences.filter { $0.contains(word) } == [], "\(word)")
        }
    }

    @Test("the page loads only files that the server provides, and all of them exist")
    func files() async throws {
        try await TestServer.with { server in
            for path in Endpoint.pages where path.hasSuffix(".js") || path == "/" {
                let text = try await server.send(.get, path).text
                for piece in text.split(separator: "\"") where piece.hasPrefix("/assets/") {
                    #expect(Endpoint.pages.contains(String(piece)), "\(path) uses \(piece)")
                }
                // Trusted Types and the content security policy would prevent them; this test finds them early.
                for word in ["innerHTML", "eval(", "document.write", "style=\"", "onclick=\"", "javascript:"] {
                    #expect(!text.contains(word), "\(path): \(word)")
                }
            }
        }
    }
}
