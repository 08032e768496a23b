internal import ArgumentParser
internal import Testing

@testable internal import Terminal

@Suite("Mistyped subcommands")
struct SuggestionTests {
    private struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "create")
        @Argument var name: String
    }
    private struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "check", aliases: ["verify"])
    }
    private struct Wallet: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "wallet", subcommands: [Create.self, Check.self])
    }
    private struct Send: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "send")
    }
    private struct Root: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "root", subcommands: [Wallet.self, Send.self])
    }

    @Test(
        "the subcommand that looks most like the word is suggested, with the words before it",
        arguments: [
            ("walet", "wallet"), ("wallte", "wallet"), ("wallet craete", "wallet create"), ("WALLET", "wallet"),
            ("wallet verfy", "wallet check"), ("sned", "send"), ("wallet create savings", nil),
            ("wallet create craete", nil),
            ("unlock", nil), ("s", nil), ("--walet", nil), ("", nil), ("wallet", nil),
        ] as [(String, String?)])
    func suggestion(line: String, expected: String?) {
        let words = line.split(separator: " ").map(String.init)
        #expect(Suggestion.first(in: words, of: Root.self)?.command == expected)
    }

    @Test(
        "letters that are wrong, missing, too many or exchanged are counted",
        arguments: [
            ("a", "a", 0), ("send", "sned", 1), ("send", "sen", 1), ("send", "sendd", 1), ("abc", "xyz", 3),
            ("", "ab", 2),
        ])
    func distance(first: String, second: String, expected: Int) {
        #expect(Suggestion.distance(first, second) == expected)
        #expect(Suggestion.distance(second, first) == expected)
    }
}
