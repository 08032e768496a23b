import Encoding
import Secrets
import Testing

@testable import Redaction

@Suite("Secrets that are known by their look")
struct PatternTests {
    static let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
    static let digits = String(repeating: "0c28fca386c7a227", count: 4)

    @Test(
        "each is redacted, and nothing beside it",
        arguments: [
            ("words: \(phrase).", "words: [redacted: mnemonic]."),
            ("words: \(phrase.uppercased())", "words: [redacted: mnemonic]"),
            ("[\"" + phrase.replacing(" ", with: "\", \"") + "\"]", "[\"[redacted: mnemonic]\"]"),
            (
                phrase.split(separator: " ").enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(
                    separator: "\n"),
                "1. [redacted: mnemonic]"
            ),
            (phrase.replacing(" ", with: "\\n"), "[redacted: mnemonic]"),
            (phrase.replacing(" ", with: "%20"), "[redacted: mnemonic]"),
            (phrase.replacing(" ", with: "+"), "[redacted: mnemonic]"),
            (Base64.encode(Array(phrase.utf8)), "[redacted: mnemonic]"),
            ("a/b/c_" + Base64.encode(Array(phrase.utf8)), "[redacted: mnemonic]"),
            ("key 5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ!", "key [redacted: private key]!"),
            ("L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1", "[redacted: private key]"),
            (
                "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi,",
                "[redacted: extended private key],"
            ),
            ("private key 0x\(digits) of", "private key [redacted: private key] of"),
            ("privkey=\(digits)", "privkey=[redacted: credential]"),
            ("the SECRET is \(digits).", "the SECRET is [redacted: private key]."),
            ("Authorization: Bearer \(token)\nHost: a", "Authorization: [redacted: credential]\nHost: a"),
            ("sent Bearer abcdef0123456789 on", "sent Bearer [redacted: token] on"),
            ("id \(token).", "id [redacted: token]."),
            ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[redacted: token]"),
            ("sk-live-0123456789abcdefghij", "[redacted: token]"),
            ("password=hunter2&next=1", "password=[redacted: credential]&next=1"),
            (
                "{\"walletPassphrase\": \"two words\", \"id\": 1}",
                "{\"walletPassphrase\": \"[redacted: credential]\", \"id\": 1}"
            ),
            ("{\\\"api_secret\\\":\\\"a b\\\"}", "{\\\"api_secret\\\":\\\"[redacted: credential]\\\"}"),
            (
                "X-MBX-APIKEY: vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A",
                "X-MBX-APIKEY: [redacted: credential]"
            ),
            (
                "API-Sign: 4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==",
                "API-Sign: [redacted: credential]"
            ),
            ("Cookie: a=b; c=d", "Cookie: [redacted: credential]"),
            ("https://ada:pw@example.com/a", "https://ada:[redacted: URL value]@example.com/a"),
            ("https://0123456789@example.com/a", "https://[redacted: URL value]@example.com/a"),
            (
                "GET https://a.example/cb?code=abc&page=2#access_token=xyz",
                "GET https://a.example/cb?code=[redacted: URL value]&page=2#access_token=[redacted: URL value]"
            ),
            (
                "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\nrest",
                "[redacted: private key]\nrest"
            ),
            ("-----BEGIN PRIVATE KEY-----\nMHcCAQEE", "[redacted: private key]"),
            ("passphrase=correct horse battery staple, x", "passphrase=[redacted: credential], x"),
            ("password: swordfish", "password: [redacted: credential]"),
            ("seed \(digits)\(digits)", "seed [redacted: private key]"),
            (
                "GET /cb?code=4/0AX4&state=ab&page=2",
                "GET /cb?code=[redacted: URL value]&state=[redacted: URL value]&page=2"
            ),
            ("token=ab@1234", "token=[redacted: credential]"),
            ("error(token: \"abc\")", "error(token: \"[redacted: credential]\")"),
            (Base64.encode(Array("ghp_16C7e42F292c6912E7710c838347Ae178B4a".utf8)), "[redacted: token]"),
        ])
    func redacted(_ text: String, _ expected: String) {
        let redacted = Redactor().redacted(text)
        #expect(redacted == expected)
        #expect(Redactor().redacted(redacted) == redacted)
    }

    @Test(
        "what is public stays",
        arguments: [
            "tx 0x\(digits) in block 19000000", "public key \(digits)", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
            "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8",
            "unexpected token: expected ')'", "the seed: unknown",
            "2026-11-25T12:00:00Z info started",
            "https://example.com/a?page=2&sort=up", "spin=4", "{\"token\":null}", "Basic authentication is off",
            "L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY2", "secret=[redacted: credential]",
            "legal winner thank year",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "", "é — ü", "a=b c:d", ":", "=", "\\", "%",
            "://", "x://",
        ])
    func kept(_ text: String) { #expect(Redactor().redacted(text) == text) }

    @Test("every beginning of a text, and every end, is read without an error")
    func cuts() {
        let text = Array(
            "a: b=\(Self.phrase) \"password\": \"x\\\" https://u:p@h/?a=b%4\\u00 -----BEGIN PRIVATE KEY-----\nAA\n-----END"
                .utf8)
        for place in 0...text.count {
            _ = Redactor().redacted(String(decoding: text[..<place], as: UTF8.self))
            _ = Redactor().redacted(String(decoding: text[place...], as: UTF8.self))
        }
    }

    @Test("what was redacted is not changed when it is redacted again, whatever stands beside it")
    func idempotence() {
        var random = SeededGenerator()
        let parts =
            [
                "password", "=", ": ", "\"", "\\\"", "\\", "%3D", "%22", " ", "\n", "token", "x1", "hunter2", "{", "}",
                "https://", "u:p@h/",
                "?code=", "&a=", "#", "Bearer ", "eyJhbGciOiJIUzI1NiJ9", ".", "abandon ", "-----BEGIN PRIVATE KEY-----",
                "-----END ",
                "Authorization", "[redacted: credential]", "[redacted:", "secret", "+", "/", "==",
                "'", ",", "sk-",
            ]
            + [Self.phrase, Self.token, " " + Base64.encode(Array(Self.phrase.utf8))]
        for _ in 0..<60_000 {
            let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }.joined()
            let redacted = Redactor().redacted(text)
            #expect(Redactor().redacted(redacted) == redacted, "\(text)")
        }
    }

    @Test("a text beyond the bound is cut between words, and says so")
    func bound() {
        let text = String(repeating: "a", count: RedactionLimits.textSize - 1) + " "
        #expect(Redactor().redacted(text) == text)
        #expect(Redactor().redacted(text + "password=x") == text + "[redacted: unread]")
        let key = "L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1"
        let cut = Redactor().redacted(text.dropLast(20) + " " + key)
        #expect(cut == text.dropLast(20) + " [redacted: unread]")
    }

    /// Texts in each of which every place may begin a secret that continues to the end. A search that began at each place anew
    /// would read every byte thousands of times.
    @Test(
        "no byte of a hostile text is read more than 64 times on average",
        arguments: [
            "pwd=", "://", "sk-", "cookie:", "eyJaaaaaaaaaaaaa-", "-----BEGIN PRIVATE KEY-----", "pwd=[redacted:",
            "x://u:p@?a=",
            "pwd=\\\"", "passphrase:", "a%3D", "\\n", "abandon ",
        ])
    func hostile(_ unit: String) {
        let text = String(repeating: unit, count: (128 << 10) / unit.utf8.count)
        for text in [text, Base64.encode(Array(text.utf8))] {
            let reads = ScannedText.Reads()
            ScannedText.$reads.withValue(reads) { _ = Redactor().redacted(text) }
            #expect(reads.count >= text.utf8.count)
            #expect(reads.count <= 64 * text.utf8.count, "\(reads.count / text.utf8.count) reads of each byte")
        }
    }

    private func redactedAsStream(_ text: String, partsOf size: (_ rest: Int) -> Int) -> (text: String, count: Int) {
        var (stream, written, rest) = (RedactedStream(), [UInt8](), text.utf8[...])
        while !rest.isEmpty {
            let part = rest.prefix(size(rest.count))
            written += stream.push(part)
            rest = rest.dropFirst(part.count)
        }
        written += stream.finish()
        return (String(decoding: written, as: UTF8.self), stream.count)
    }

    @Test("a stream is redacted as a text is, wherever its parts end")
    func stream() {
        let secret = "\npassword=hunter22 and \(Self.phrase)\n"
        var (text, random) = ("", SeededGenerator())
        while text.utf8.count < 700_000 {
            text += String(repeating: "an ordinary line\n", count: .random(in: 0...300, using: &random)) + secret
        }
        let redacted = redactedAsStream(text) { _ in Int.random(in: 1...100_000, using: &random) }
        #expect(redacted.text == Redactor().redacted(text))
        #expect(redacted.count > 100)
    }

    @Test(
        "a secret whose name or beginning stands before the end of a part is found",
        arguments: [
            "\"password\":\"hunter2hunter2\",", "private key:\n\(digits)\n",
            "https://user:hunter2hunter2@a.example/?code=abcdef ",
            "Bearer abcdef0123456789 ", "\(phrase). ",
        ])
    func borders(_ secret: String) {
        // Parts are written up to 256 KiB; the last line feed before is in the secret, or nowhere.
        let size = RedactionLimits.streamBlock
        for shift in stride(from: -secret.utf8.count - 8, through: 8, by: 3) {
            let text =
                String(repeating: "x ", count: (size + shift) / 2) + secret + String(repeating: " y", count: 40_000)
            let redacted = redactedAsStream(text) { _ in 64 << 10 }
            #expect(redacted.text == Redactor().redacted(text), "\(shift)")
        }
    }

    @Test("a secret that is longer than what is held is left out up to the end of its line")
    func endless() {
        let text = "Cookie: " + String(repeating: "a=b; ", count: 500_000) + "\nrest\n"
        let redacted = redactedAsStream(text) { _ in 64 << 10 }
        #expect(redacted.text == "Cookie: [redacted: credential]\nrest\n")
    }

    @Test("equal identifiers have equal names under one key only")
    func pseudonyms() {
        let (one, other) = (
            Pseudonyms(key: .init(count: 32, from: Fixed(1))), Pseudonyms(key: .init(count: 32, from: Fixed(2)))
        )
        #expect(one.name(of: "ada", kind: "account") == one.name(of: "ada", kind: "account"))
        #expect(one.name(of: "ada", kind: "account") != one.name(of: "bob", kind: "account"))
        #expect(one.name(of: "ada", kind: "account") != other.name(of: "ada", kind: "account"))
        #expect(one.name(of: "ada", kind: "device").dropFirst(7) != one.name(of: "ada", kind: "account").dropFirst(8))
        #expect(one.name(of: "ada", kind: "account").count == 28)
    }
}
