internal import SecretStoreTestSupport
internal import Secrets
internal import SecureStorage
internal import Testing

@Suite("The text of a new passphrase")
struct PassphraseTextTests {
    @Test(
        "a character that a user does not see is named",
        arguments: [
            "\u{FEFF}correct horse", "correct\u{200B}horse", "correct\u{A0}horse", "correct horse\u{200D}",
            "correct\u{2009}horse", "correct\u{202E}horse", "correct\u{AD}horse", "c\u{34F}orrect horse",
            "correct horse\u{FE0F}", "correct\u{3164}horse", "correct\u{2800}horse", "correct\thorse",
            "c\u{0}o\u{0}r\u{0}", "correct\u{85}horse", "correct\u{2028}horse", "correct\u{E0041}horse",
        ])
    func invisible(_ text: String) throws {
        let bad = try #require(
            text.unicodeScalars.first {
                $0 != " " && !$0.properties.isAlphabetic || $0.properties.isDefaultIgnorableCodePoint
            })
        #expect(PassphraseText.flaw(in: secret(text)) == .invisible(bad))
    }

    @Test(
        "a space at either end is refused, and one in the middle is not",
        arguments: [" correct horse", "correct horse ", "\u{3000}correct", "correct\u{3000}", " "])
    func outerSpace(_ text: String) { #expect(PassphraseText.flaw(in: secret(text)) == .outerSpace) }

    @Test("bytes of another encoding are refused")
    func notUTF8() {
        for bytes in [
            [0xFF, 0xFE, 0x61, 0], [0xFE, 0xFF, 0, 0x61], [0x7A, 0xF6], [0xED, 0xA0, 0x80], [0xC0, 0x80],
        ]
            as [[UInt8]]
        {
            let passphrase = SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
            #expect(PassphraseText.flaw(in: passphrase) == .notUTF8, "\(bytes)")
        }
    }

    @Test(
        "words of every script, punctuation and symbols are accepted",
        arguments: [
            "correct horse battery staple", "zw\u{f6}lf Boxk\u{e4}mpfer", "zwo\u{308}lf", "p\u{12b}ka",
            "\u{3042}\u{308a}\u{3000}\u{3055}\u{3093}", "\u{ac00}\u{ac01}", "\u{5d0}\u{5d1} \u{628}\u{62a}",
            "1234", "a  b", "#!~", "\u{1F40E}", "",
        ])
    func accepted(_ text: String) { #expect(PassphraseText.flaw(in: secret(text)) == nil) }
}
