package import ArgumentParser
internal import Foundation

/// A single-value option that a command line repeats.
///
/// ArgumentParser silently takes the last value, and `send --to alice … --to bob …` would pay only one of them. So
/// every command line is checked before it is parsed. Options that are declared as arrays may be repeated, and so may
/// flags: a repeated flag has the same meaning.
package struct RepeatedOption: Equatable, Sendable {
    /// The option as the help names it: `--to`.
    package let name: String

    /// Returns the first single-value option that a command line repeats.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - root: the root command. Only the selected leaf command has options.
    package static func first(in arguments: [String], of root: any ParsableCommand.Type) -> RepeatedOption? {
        DeclaredOptions(of: root.named(by: arguments)).firstRepeated(in: arguments)
    }
}

extension ParsableCommand {
    /// Returns the subcommand that the first words of a command line name.
    fileprivate static func named(by arguments: [String]) -> any ParsableCommand.Type {
        let subcommands = configuration.subcommands
        if let word = arguments.first,
            let next = subcommands.first(where: { $0._commandName == word || $0.configuration.aliases.contains(word) })
        {
            return next.named(by: Array(arguments.dropFirst()))
        }
        return configuration.defaultSubcommand?.named(by: arguments) ?? self
    }
}

/// The options of one command, as the parser lists them.
struct DeclaredOptions {
    /// An option or flag, with the dashes of its names.
    struct Option {
        let name: String
        /// Whether a repeated value replaces the one before.
        let isSingle: Bool
        /// Whether the next word is its value even if it begins with a dash.
        let takesAnyWord: Bool
    }

    /// The options by each of their names.
    private let options: [String: Option]

    init(of command: any ParsableCommand.Type) {
        guard let dump = try? JSONDecoder().decode(CommandDump.self, from: Data(command._dumpHelp().utf8)) else {
            preconditionFailure(
                "the parser's list of options has another form than that of the version in Package.swift")
        }
        self.init(dump.command.arguments ?? [])
    }

    init(_ arguments: [CommandDump.Argument]) {
        var options: [String: Option] = [:]
        for argument in arguments where argument.kind != "positional" {
            guard let preferred = argument.preferredName else { continue }
            let option = Option(
                name: preferred.written, isSingle: argument.kind == "option" && !argument.isRepeating,
                takesAnyWord: argument.kind == "option" && argument.parsingStrategy == "unconditional")
            for name in argument.names ?? [] { options[name.written] = option }
        }
        self.options = options
    }

    /// Returns the first repeated single-value option. Words are read as the parser reads them: `--name value`,
    /// `--name=value`, `-n value`, `-n=value`, several short names after one dash, and only values after `--`. A value
    /// that begins with a dash is given as `--name=-value`, so a word that begins with a dash is a name.
    func firstRepeated(in arguments: [String]) -> RepeatedOption? {
        var given: Set<String> = []
        var words = arguments[...]
        while let word = words.popFirst(), word != "--" {
            guard word.hasPrefix("-"), word != "-" else { continue }
            for option in named(by: word) {
                if option.isSingle, !given.insert(option.name).inserted { return RepeatedOption(name: option.name) }
                if option.takesAnyWord, !word.contains("=") { _ = words.popFirst() }
            }
        }
        return nil
    }

    /// Returns the options that a word with a leading dash names; empty for a word that the parser will refuse.
    private func named(by word: String) -> [Option] {
        let name = String(word.prefix { $0 != "=" })
        if let option = options[name] { return [option] }
        guard !word.hasPrefix("--"), name == word else { return [] }
        return word.dropFirst().compactMap { options["-\($0)"] }
    }
}
