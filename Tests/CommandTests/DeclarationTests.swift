import Testing

@testable import ArgumentParser
@testable import fueki

/// The parser's checks of the declarations of options, once for each command: CI compiles the parser without them (`scripts/swiftc`).
@Suite("The declared options of every command")
struct DeclarationTests {
    private struct Twice: ParsableArguments {
        @Option var name: String?
        @Option(name: .customLong("name")) var other: String?
    }

    private static func commands(of group: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [group] + group.configuration.subcommands.flatMap(commands)
    }

    @Test("no two options have one name, and no value follows a list without an end")
    func valid() {
        let commands = Self.commands(of: Fueki.self)
        #expect(commands.count > 80)
        for command in commands {
            #expect(throws: Never.self, "\(command)") { try command._validate(parent: nil) }
        }
        #expect(throws: ParsableArgumentsValidationError.self, "control") { try Twice._validate(parent: nil) }
    }
}
