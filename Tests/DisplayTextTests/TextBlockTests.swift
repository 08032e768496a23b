import TestSupport
import Testing

@testable import DisplayText

@Suite("Foreign text, in rows")
struct TextBlockTests {
    /// Texts that would look like something else on some terminal.
    static let hostile = [
        String(repeating: " ", count: 74) + "pays  5 BTC to bob",
        String(repeating: "-", count: 74) + "pays  5 BTC to bob",
        "hello\n  pays  5 BTC to bob\n\ndigest  00",
        "a\tb\rc\u{B}d\u{85}e\u{2028}f",
        String(repeating: "─", count: 300) + "│ pays",
        String(repeating: "word ", count: 80),
        String(repeating: "x", count: 500) + " " + String(repeating: "y", count: 37),
        String(repeating: "e\u{301}\u{302}\u{303}", count: 90), "\u{338}\u{20DD}\u{301}a",
        String(repeating: "ｗｉｄｅ漢字", count: 40), String(repeating: "ᄀ", count: 300), String(repeating: "ொ", count: 200),
        "க" + String(repeating: "ொ", count: 200),
        String(repeating: "🇨🇭👍🏽", count: 60),
        String(repeating: "שלום ", count: 40) + "pays 5 BTC", "abc \u{202E}CTB 5 syap",
        "'\n  | to: 0x5252\n  + '", "", "\n", "<U+0020*40>",
    ]

    /// The highest number of columns on any terminal.
    private func width(_ row: String) -> Int {
        row.unicodeScalars.reduce(0) {
            $0 + ($1.properties.generalCategory == .nonspacingMark || $1.isASCII ? 1 : 2)
        }
    }

    @Test(
        "each row begins with a mark and fits, however wide the terminal is; and nothing of the text is left out",
        arguments: hostile, [24, 40, 80, 120])
    func rows(text: String, columns: Int) {
        let shown = SanitizedText(text, limit: 10_000, lines: .several)
        var expected = shown.text.unicodeScalars.filter { $0 != "\n" }
        for row in TextBlock(shown, columns: columns).rows {
            #expect(["  | ", "  + ", "rl| ", "rl+ "].contains(String(row.prefix(4))), "\(row)")
            #expect(width(row) < columns, "\(row)")
            let content = String.UnicodeScalarView(row.unicodeScalars.dropFirst(4))
            #expect(expected.starts(with: content))
            expected = String.UnicodeScalarView(expected.dropFirst(content.count))
        }
        #expect(expected.isEmpty)
        for depth in [0, 1, 4, 5, 40] {
            let line = SanitizedLine(String(repeating: "label", count: 5), .text(shown), depth: depth)
            for row in TextBlock([line], columns: columns).rows {
                #expect(row.hasPrefix("  | ") || row.hasPrefix("rl| "), "\(row)")
                #expect(width(row) < columns, "\(row)")
            }
        }
    }

    @Test("a line of the text has another mark than a continuation row, and neither is a member's")
    func marks() {
        let text = SanitizedText("one two three four five\nsix", limit: 99, lines: .several)
        #expect(TextBlock(text, columns: 24).rows == ["  | one two three four ", "  + five", "  | six"])
        let lines = [
            SanitizedLine("Mail", .heading, depth: 0), SanitizedLine("contents", .text(text), depth: 1),
            SanitizedLine("to", .value("0x52"), depth: 1), SanitizedLine("deep", .list(count: 0), depth: 6),
        ]
        #expect(
            TextBlock(lines, columns: 30).rows == [
                "  | Mail:", "  |   contents: 'one two ", "  |     + three four five", "  |     | six'",
                "  |   to: 0x52",
                "  |   (level 6) deep: a list ", "  |     + of 0",
            ])
    }

    @Test("a right-to-left row has a Latin letter at its left")
    func direction() {
        let rows = TextBlock(SanitizedText("שלום\nabc", limit: 99, lines: .several), columns: 40).rows
        #expect(rows == ["rl| שלום", "  | abc"])
    }
}
