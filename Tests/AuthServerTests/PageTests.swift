internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import Testing

@testable internal import AuthServer

/// What can be told of the page without a browser.
@Suite("The page")
struct PageTests {
    @Test("shows the name that the operator gave the server, as text whatever it is")
    func serviceName() async throws {
        for (name, written) in [
            ("Observatory", "Observatory"),
            (#"<b>Ada</b> & "co" 'x'"#, "&lt;b&gt;Ada&lt;/b&gt; &amp; &quot;co&quot; &#39;x&#39;"),
            // With the mark they are one character each, of another name.
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

    @Test("has a sentence for every problem and every event, and none with words of the protocol")
    func words() throws {
        let words = String(decoding: PackageResources.words_js, as: UTF8.self)
        for code in ProblemCode.allCases {
            #expect(words.contains("\n    \(code.rawValue): "), "words.js has no sentence for \(code.rawValue)")
        }
        for event in SecurityEvent.allCases {
            #expect(words.contains("\n    \(event.rawValue): "), "words.js has no sentence for \(event.rawValue)")
        }
        let sentences = words.split(separator: "\n").filter { $0.hasPrefix("    ") && $0.contains(": ") }
            .map { $0.drop { $0 != ":" }.lowercased() }
        #expect(sentences.count > ProblemCode.allCases.count + SecurityEvent.allCases.count)
        for word in ["dpop", "nonce", "retry-after", "aal", "attest", "webauthn", "token", "header", "w3.org", "http"] {
            #expect(sentences.filter { $0.contains(word) } == [], "\(word)")
        }
    }

    @Test("is made of files that are all served, and of nothing else")
    func files() async throws {
        try await TestServer.with { server in
            for path in Endpoint.pages where path.hasSuffix(".js") || path == "/" {
                let text = try await server.send(.get, path).text
                for piece in text.split(separator: "\"") where piece.hasPrefix("/assets/") {
                    #expect(Endpoint.pages.contains(String(piece)), "\(path) uses \(piece)")
                }
                // Trusted Types and the content security policy would stop them; here it is seen at once.
                for word in ["innerHTML", "eval(", "document.write", "style=\"", "onclick=\"", "javascript:"] {
                    #expect(!text.contains(word), "\(path): \(word)")
                }
            }
        }
    }
}
