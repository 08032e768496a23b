import Testing

@testable import ArgumentParser
@testable import fuekid

/// The parser's checks of the declarations of options, once for each command of the server: see the tests of `fueki`.
@Suite("The declared options of every command of the server")
struct DeclarationTests {
    private struct Twice: ParsableArguments {
        @Option var name: String?
        @Option(name: .customLong("name")) var other: String?
    }

    private static func commands(of group: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [group] + group.configuration.subcommands.flatMap(commands)
    }

    @Test("no two options of a command of the server have one name")
    func valid() {
        let commands = Self.commands(of: Fuekid.self)
        #expect(commands.count > 15)
        for command in commands {
            #expect(throws: Never.self, "\(command)") { try command._validate(parent: nil) }
        }
        #expect(throws: ParsableArgumentsValidationError.self, "control") { try Twice._validate(parent: nil) }
    }
}
