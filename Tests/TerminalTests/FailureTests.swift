internal import DisplayText
internal import Foundation
internal import Testing
internal import Texts

@testable internal import Terminal

@Suite("Failures of a command")
struct FailureTests {
    private struct Details: Encodable { let id: String }

    @Test("the JSON has the word, the message, the hint, and the details")
    func json() {
        let plain = Failure(code: .busy, name: "busy", message: "it is in use", hint: "wait")
        let expected = """
            {
              "error" : {
                "code" : "busy",
                "hint" : "wait",
                "message" : "it is in use"
              }
            }

            """
        #expect(Output.json(of: plain) == expected)

        var detailed = plain
        detailed.details = Details(id: "ab")
        #expect(Output.json(of: detailed) == expected.dropLast(3) + ",\n  \"id\" : \"ab\"\n}\n")
    }

    @Test("JSON has escapes in place of characters that control a terminal, and means the same text")
    func escapes() throws {
        let text = "a\u{9B}31m \u{202E}b\u{7F}\u{2028}\u{E0041} \u{1B}[2J\n z\u{F6}"
        let failure = Failure(code: .usage, name: "usage", message: "not '\(text)'")
        let json = Output.json(of: failure)
        #expect(json.contains(#"a\u009b31m \u202eb\u007f\u2028\udb40\udc41 \u001b[2J\n zö"#), "\(json)")
        struct Read: Decodable {
            struct Body: Decodable { let message: String }
            let error: Body
        }
        #expect(try JSONDecoder().decode(Read.self, from: Data(json.utf8)).error.message == "not '\(text)'")
    }

    @Test("a line break in a file's name begins no line of its own")
    func lineBreak() {
        #expect(Failure.unreadable("a\nb", 2).text == "cannot read a\u{FFFD}b: No such file or directory")
    }

    @Test("foreign words are below the message, after a mark")
    func quoted() {
        let words = SanitizedText("no such\nthing", limit: 100, lines: .one)
        let failure = Failure(
            code: .unavailable, name: "refused", message: "the node refused: \"\(words)\"", quoted: words)
        #expect(failure.text == "the node refused: see below\n  | no such<U+000A>thing")
    }
}

@Suite("Exit codes")
struct ExitCodesTests {
    @Test("a table lists the codes in numerical order, after 0")
    func table() {
        let codes = ExitCodes([.settings: "wrong settings", .refused: "refused", .usage: "wrong usage"])
        #expect(
            codes.table == """
                   0  done
                   2  refused
                  64  wrong usage
                  78  wrong settings
                """)
    }
}
