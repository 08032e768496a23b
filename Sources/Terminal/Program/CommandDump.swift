/// The commands of a program with their options, as ArgumentParser lists them (`--experimental-dump-help`). Only the
/// needed part of that list is decoded.
package struct CommandDump: Decodable {
    /// The root command.
    package let command: Command

    /// A command, or a group of commands.
    package struct Command: Decodable {
        package let superCommands: [String]?
        package let commandName: String
        package let subcommands: [Command]?
        package let arguments: [Argument]?

        /// The commands without subcommands, with the words that follow the program's name.
        package var leaves: [(words: [String], arguments: [Argument])] {
            guard let subcommands, !subcommands.isEmpty else {
                return [((superCommands ?? []).dropFirst() + [commandName], arguments ?? [])]
            }
            return subcommands.filter { $0.commandName != "help" }.flatMap(\.leaves)
        }
    }

    /// An option, a flag, or a positional value.
    package struct Argument: Decodable {
        /// `option`, `flag` or `positional`.
        package let kind: String
        package let isRepeating: Bool
        package let parsingStrategy: String
        package let names: [Name]?
        package let preferredName: Name?
    }

    /// One name of an option.
    package struct Name: Decodable {
        package let kind: String
        package let name: String
        /// The name including its dashes.
        package var written: String { (kind == "long" ? "--" : "-") + name }
    }
}
