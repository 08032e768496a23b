import Mnemonics
import Testing

@testable import Redaction

@Suite("Mnemonics that are not whole")
struct PhraseTests {
    private static let list = EnglishWords.text.split(whereSeparator: \.isWhitespace).map(String.init)
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    /// Whether a word of a phrase is left in a text of which the words stand nowhere else.
    private static func isHidden(_ words: [String], in text: String) -> Bool {
        let left = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
        return words.allSatisfy { !left.contains($0.lowercased()) || own.contains($0.lowercased()) }
    }

    /// The words of the lines around, and those of the marker.
    private static let own: Set<String> = [
        "redacted", "mnemonic", "word", "debug", "phrase", "say", "wallet", "info", "done",
    ]

    private static func phrase(_ count: Int, _ random: inout SeededGenerator) -> [String] {
        (0..<count).map { _ in list.filter { !own.contains($0) }.randomElement(using: &random) ?? "" }
    }

    /// A word with one mistake that is not a word of the list, and is long enough to be told from words of sentences.
    private static func misspelt(_ word: String, _ random: inout SeededGenerator) -> String? {
        var characters = Array(word)
        let place = Int.random(in: 0..<characters.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: characters[place] = letters.randomElement(using: &random) ?? "x"
        case 1: characters.remove(at: place)
        case 2: characters.insert(letters.randomElement(using: &random) ?? "x", at: place)
        default: if place > 0 { characters.swapAt(place - 1, place) }
        }
        let text = String(characters)
        return characters.count < 4 || list.contains(text) || SecretNames.proseWords.contains(text)
            || own.contains(text) ? nil : text
    }

    @Test("a phrase with one misspelt word is redacted whole, wherever the word stands")
    func misspelling() {
        var random = SeededGenerator()
        var samples = 0
        while samples < 400 {
            var words = Self.phrase([12, 15, 18, 21, 24].randomElement(using: &random) ?? 12, &random)
            let place = samples % words.count
            guard let word = Self.misspelt(words[place], &random) else { continue }
            words[place] = word
            samples += 1
            let separator = [" ", "\n", ", ", "  ", "-"].randomElement(using: &random) ?? " "
            let text = "77: " + words.joined(separator: separator) + " (77)"
            let redacted = Redactor().redacted(text)
            #expect(redacted == "77: [redacted: mnemonic] (77)", "\(text)")
        }
    }

    @Test("eleven words of twelve are redacted, and ten are not")
    func eleven() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let words = Self.phrase(11, &random)
            #expect(Redactor().redacted("77: " + words.joined(separator: " ") + ".") == "77: [redacted: mnemonic].")
            let ten = "77: " + words.dropLast().joined(separator: " ") + "."
            #expect(Redactor().redacted(ten) == ten)
        }
    }

    /// How a log writes a phrase over several lines.
    enum Lines: CaseIterable {
        case numbered, logged, json, wrapped, tail, plain, coloured, members, objects

        func text(_ words: [String]) -> String {
            switch self {
            case .numbered:
                words.enumerated().map {
                    "2026-11-25T12:00:\(10 + $0.offset)Z DEBUG word \($0.offset + 1): \($0.element)"
                }
                .joined(separator: "\n")
            case .logged: words.map { "12:00:01 wallet[811] INFO \($0)" }.joined(separator: "\r\n")
            case .json:
                words.enumerated().map { "{\"l\":\"info\",\"m\":\"\($0.element)\",\"n\":\($0.offset)}" }.joined(
                    separator: "\n")
            case .wrapped, .tail:
                stride(from: 0, to: words.count, by: 4).map {
                    "12:00:\(10 + $0) wallet[811] DEBUG " + (self == .tail && $0 == 0 ? "phrase says " : "")
                        + words[$0..<min($0 + 4, words.count)].joined(separator: " ")
                        + (self == .tail && $0 + 4 >= words.count ? "; 77" : "")
                }.joined(separator: "\n")
            case .plain: words.joined(separator: "\n")
            case .coloured: words.map { "\u{1B}[32m\($0)\u{1B}[0m" }.joined(separator: " ")
            case .members:
                "{" + words.enumerated().map { "\"\($0.offset + 1)\":\"\($0.element)\"" }.joined(separator: ",") + "}"
            case .objects: "[" + words.map { "{\"word\":\"\($0)\"}" }.joined(separator: ",") + "]"
            }
        }
    }

    @Test("words that a log writes line by line, or wraps, are redacted", arguments: Lines.allCases)
    func lines(_ lines: Lines) {
        var random = SeededGenerator()
        for number in 0..<60 {
            let words = Self.phrase([12, 24][number % 2], &random)
            let text = "## 1\n" + lines.text(words) + "\n## 2\n"
            let redacted = Redactor().redacted(text)
            #expect(Self.isHidden(words, in: redacted), "\(redacted)")
            #expect(redacted.hasPrefix("## 1\n") && redacted.hasSuffix("\n## 2\n"))
            #expect(Redactor().redacted(redacted) == redacted)
        }
    }

    @Test("words line by line are found in a stream, wherever its parts end")
    func stream() {
        var random = SeededGenerator()
        let words = Self.phrase(24, &random)
        let secret = Lines.numbered.text(words) + "\n"
        let size = RedactionLimits.streamBlock
        for shift in stride(from: -secret.utf8.count - 8, through: 8, by: 211) {
            let text =
                String(repeating: "x 7 y\n", count: (size + shift) / 6) + secret
                + String(repeating: "z 8 y\n", count: 9_000)
            var (stream, written, rest) = (RedactedStream(), [UInt8](), text.utf8[...])
            while !rest.isEmpty {
                written += stream.push(rest.prefix(64 << 10))
                rest = rest.dropFirst(64 << 10)
            }
            written += stream.finish()
            #expect(stream.count == 24)
            #expect(String(decoding: written, as: UTF8.self) == Redactor().redacted(text), "\(shift)")
        }
    }

    @Test("the list of BIP-39 itself, and lines of programs with its words, stay")
    func list() {
        for separator in [" ", "\n", ",", "\",\""] {
            let text = Self.list.joined(separator: separator)
            #expect(Redactor().redacted(text) == text)
        }
        for text in [
            "let (one, other) = (left.output.amount, right.output.amount)\nreturn one == other ? left.output : right.output",
            "title = order.symbol.venue.title\nsymbol = order.symbol.text\nside = order.side\nprice = order.price.text",
            ".Case(\"orange\", Orange)\n.Case(\"yellow\", Yellow)\n.Case(\"green\", Green)\n.Case(\"around\", Around)\n.Case(\"able\", Able)\n.Case(\"acid\", Acid)",
            "guard state.step?.number == number else { return false }\ndraw(state.step)\nreturn true",
        ] { #expect(Redactor().redacted(text) == text) }
    }
}
