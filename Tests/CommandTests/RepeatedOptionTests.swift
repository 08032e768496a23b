internal import Foundation
import TestSupport
import Testing

@testable import Terminal

/// Every single-value option of every command is given twice, under each of its names: to the check, and one of them to the
/// program.
@Suite("Repeated options of every command")
struct RepeatedOptionTests {
    private static let leaves: [(words: [String], arguments: [CommandDump.Argument])] = {
        guard let dumped = try? FuekiCommand().run("--experimental-dump-help"),
            let help = try? JSONDecoder().decode(CommandDump.self, from: Data(dumped.output.utf8))
        else { return [] }
        return help.command.leaves
    }()
    static let commands = leaves.map { $0.words.joined(separator: " ") }

    private func isRefused(_ words: [String], _ option: String) throws -> Bool {
        let ended = try FuekiCommand().run(words)
        let text = "fueki: \(option) is given more than once, and takes one value; nothing was done"
        return ended.status == 64 && ended.errors.hasPrefix(text) && ended.output.isEmpty
    }

    @Test("the commands exist") func commandsAreFound() {
        #expect(Self.commands.count > 30 && Self.commands.contains("send") && Self.commands.contains("wallet create"))
    }

    @Test("a repeated single-value option is refused, and named", arguments: commands)
    func refused(command: String) throws {
        let leaf = try #require(Self.leaves.first { $0.words.joined(separator: " ") == command })
        let options = leaf.arguments.filter { $0.kind == "option" }
        #expect(options.contains { !$0.isRepeating })
        let declared = DeclaredOptions(leaf.arguments)
        for option in options {
            let preferred = try #require(option.preferredName?.written)
            for name in option.names ?? [] {
                let words = [name.written, "1", "\(preferred)=2"]
                #expect(declared.firstRepeated(in: words)?.name == (option.isRepeating ? nil : preferred), "\(words)")
            }
        }
        // The program checks the options of this command, and no other's.
        for option in [options.first { !$0.isRepeating }, options.first(where: \.isRepeating)].compactMap(\.self) {
            let name = try #require(option.preferredName?.written)
            let words = leaf.words + [name, "1", "\(name)=2"]
            #expect(try isRefused(words, name) == !option.isRepeating, "\(words)")
        }
    }

    @Test("a payment with two payees under one option pays neither, and tells programs why")
    func payees() throws {
        let fueki = try FuekiCommand()
        let ended = try fueki.run(
            "send", "savings", "--to", "alice", "--amount", "0.001btc", "--amount=0.002btc", "--json")
        #expect(ended.status == 64)
        #expect(
            ended.errors.contains(#""message" : "--amount is given more than once"#)
                && ended.errors.contains(#""code" : "usage""#))
    }

    @Test("a repeated flag has the same meaning as one")
    func flags() throws {
        let fueki = try FuekiCommand()
        #expect(try fueki.run("wallet", "list", "--json", "--json").status == 0)
    }
}
