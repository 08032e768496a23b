internal import ArgumentParser
internal import Testing

@testable internal import Terminal

@Suite("Repeated options")
struct RepeatedOptionTests {
    private struct Pay: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "pay", aliases: ["give"])
        @Argument var wallet: String
        @Option var to: String
        @Option(name: .shortAndLong) var output: String?
        @Option(name: .customLong("approval")) var approvals: [String] = []
        @Flag(name: .shortAndLong) var yes = false
        @Option(parsing: .unconditional) var text: String?
    }
    private struct Serve: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "serve")
        @Option var home: String?
    }
    private struct Group: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "group", subcommands: [Pay.self])
    }
    private struct Root: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "root", subcommands: [Group.self, Pay.self, Serve.self], defaultSubcommand: Serve.self)
    }

    private func repeated(_ line: String) -> String? {
        RepeatedOption.first(in: line.split(separator: " ").map(String.init), of: Root.self)?.name
    }

    @Test(
        "an option with one value is found, however it is written",
        arguments: [
            ("pay w --to alice --to bob", "--to"), ("pay w --to=alice --to bob", "--to"),
            ("pay --to alice w --to=bob", "--to"), ("give w --to a --to a", "--to"),
            ("group pay w --to a --to b", "--to"),
            ("pay w -o a --output b", "--output"), ("pay w -o=a -o b", "--output"), ("pay w -yo a -o b", "--output"),
            ("pay w --to= alice --to bob", "--to"), ("pay w --text --to --text a", "--text"),
            ("--home a --home b", "--home"), ("serve --home a --home=b", "--home"),
        ])
    func found(line: String, name: String) { #expect(repeated(line) == name) }

    @Test(
        "arrays, flags, values, and what stands behind -- may be there again",
        arguments: [
            "", "pay", "pay w --to a", "pay w --to a -o b", "pay w --approval a --approval b --approval=c",
            "pay w --yes --yes -y", "pay --to a -- --to --to", "pay w --to -- --to", "pay w --text --to --to a",
            "pay w --to=--to", "pay w --to - -", "pay w --unknown a --unknown b", "--home a", "group pay w --to a",
            "unknown --to a --to b",
        ])
    func none(line: String) { #expect(repeated(line) == nil) }

    @Test("control: the parser itself silently takes the last value")
    func silence() throws {
        let command = try Root.parseAsRoot(["pay", "w", "--to", "alice", "--to", "bob"])
        #expect((command as? Pay)?.to == "bob")
    }
}
