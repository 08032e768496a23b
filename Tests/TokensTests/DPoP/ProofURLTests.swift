import TestSupport
import Testing

@testable import Tokens

@Suite("URLs of proofs")
struct ProofURLTests {
    @Test(
        "two ways to write one URL are equal",
        arguments: [
            ("HTTPS://Example.COM/a", "https://example.com/a"),
            ("https://example.com:443/a", "https://example.com/a"),
            ("https://example.com:/a", "https://example.com/a"),
            ("https://example.com:0443/a", "https://example.com/a"),
            ("http://example.com:80", "http://example.com/"),
            ("https://example.com", "https://example.com/"),
            ("https://example.com/a?b=c", "https://example.com/a"),
            ("https://example.com/a#b", "https://example.com/a"),
            ("https://example.com?b=/c", "https://example.com/"),
            ("https://example.com/%7Euser/%61", "https://example.com/~user/a"),
            ("https://example.com/%e6%b0%b4", "https://example.com/%E6%B0%B4"),
            ("https://ex%41mple.com/", "https://example.com/"),
            ("https://example.com/a/./b/../c", "https://example.com/a/c"),
            ("https://example.com/a/%2e%2E/c", "https://example.com/c"),
            ("https://example.com/../../a", "https://example.com/a"),
            ("https://example.com/a/..", "https://example.com/"),
            ("https://example.com/a/.", "https://example.com/a/"),
            ("https://[2001:DB8::1]:8443/", "https://[2001:db8::1]:8443/"),
            ("https://[::1]:443/a", "https://[::1]/a"),
        ])
    func equal(_ one: String, _ other: String) throws {
        #expect(try ProofURL(one).description == other)
        #expect(try ProofURL(one) == ProofURL(other))
        #expect(try ProofURL(other).matches(one))
        #expect(try ProofURL(one).matches(other))
    }

    @Test(
        "different resources have different URLs",
        arguments: [
            "http://example.com/token", "https://example.com:8443/token", "https://example.com/token/",
            "https://example.com/Token", "https://example.com//token", "https://example.com/",
            "https://example.org/token",
            "https://example.com.evil.org/token", "https://www.example.com/token", "https://example.com/token%2F",
            "https://example.com/token;a", "https://example.com:4430/token", "https://example.com/x/token",
        ])
    func different(_ text: String) throws {
        #expect(try !ProofURL("https://example.com/token").matches(text))
        #expect(throws: Never.self) { try ProofURL(text) }
    }

    @Test("an encoded slash is not a slash")
    func encodedSlash() throws {
        #expect(try ProofURL("https://example.com/a%2fb").description == "https://example.com/a%2Fb")
        #expect(try ProofURL("https://example.com/a%2fb") != ProofURL("https://example.com/a/b"))
    }

    @Test(
        "a text that is not an HTTP URL is refused",
        arguments: [
            "", "example.com", "/token", "//example.com/token", "https:/example.com", "https:example.com", "ftp://a/b",
            "https://", "https:///token", "https://user@example.com/token", "https://user:pw@example.com/token",
            "https://example.com:443:443/", "https://example.com:x/", "https://example.com:65536/",
            "https://example.com:-1/", "https://example.com:+443/", "https://[::1/", "https://[]/", "https://[::g]/",
            "https://[::1]a/", "https://exa mple.com/", "https://éxample.com/", "https://example.com/é",
            "https://example.com/a b", "https://example.com/%", "https://example.com/%4", "https://example.com/%zz",
            "https://example.com/a\\b", "https://example.com/a\nb", "https://example.com/{}", " https://example.com/",
            "javascript:alert(1)", "https://exa/mple@com",
        ])
    func malformed(_ text: String) throws {
        if text == "https://exa/mple@com" {
            // An at sign in a path does not mark a user.
            #expect(try ProofURL(text).description == text)
        } else {
            #expect(throws: TokensError.malformed(.url)) { try ProofURL(text) }
            #expect(try !ProofURL("https://example.com/token").matches(text))
        }
    }

    @Test("a URL of the longest size is read, and one byte more is refused")
    func limit() throws {
        let text = "https://example.com/" + String(repeating: "a", count: TokensLimits.urlBytes - 20)
        #expect(try ProofURL(text).description == text)
        #expect(throws: TokensError.tooLong(limit: TokensLimits.urlBytes)) { try ProofURL(text + "a") }
    }

    @Test("normalising a URL twice changes nothing")
    func fuzz() {
        let seeds = [
            "HTTPS://Example.COM:443/a/./b/../%7e%e6?q#f", "http://[2001:db8::1]:8080/x/..", "https://a.b/c;d=e,f@g:h",
        ]
        Fuzz.mutations(of: seeds.map { Array($0.utf8) }) { bytes in
            guard let url = try? ProofURL(String(decoding: bytes, as: UTF8.self)) else { return }
            guard try ProofURL(url.description) == url, url.matches(url.description) else {
                throw TokensError.malformed(.url)
            }
        }
    }
}
