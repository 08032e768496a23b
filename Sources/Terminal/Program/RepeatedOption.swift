package import ArgumentParser
internal import Foundation

/// An option for one value that a command line has more than once.
///
/// ArgumentParser takes the last of the values without a word, and `send --to alice … --to bob …` would pay only one of them. So
/// every command line is looked at before it is parsed. Options that are declared as arrays may be repeated, and so may flags: a
/// flag says the same however often it is given.
package struct RepeatedOption: Equatable, Sendable {
    /// The option as the help names it: `--to`.
    package let name: String

    /// The first option of a command line that is given again and has one value.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - root: the command that parses them. Only the last of its subcommands has options.
    package static func first(in arguments: [String], of root: any ParsableCommand.Type) -> RepeatedOption? {
        DeclaredOptions(of: root.named(by: arguments)).firstRepeated(in: arguments)
    }
}

extension ParsableCommand {
    /// The subcommand that the first words of a command line name.
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

/// The options of one command, as the parser itself lists them.
struct DeclaredOptions {
    /// One option or flag. The names are with their dashes.
    struct Option {
        let name: String
        /// Whether a value that is given again replaces the one before.
        let isSingle: Bool
        /// Whether the next word is its value although it begins with a dash.
        let takesAnyWord: Bool
    }

    /// By each of their names.
    private let options: [String: Option]

    init(of command: any ParsableCommand.Type) {
        guard let dump = try? JSONDecoder().decode(CommandDump.self, from: Data(command._dumpHelp().utf8)) else {
            preconditionFailure(
                "the parser's list of options has another form than that of the version in Package.swift")
        }
        var options: [String: Option] = [:]
        for argument in dump.command.arguments ?? [] where argument.kind != "positional" {
            guard let preferred = argument.preferredName else { continue }
            let option = Option(
                name: preferred.written, isSingle: argument.kind == "option" && !argument.isRepeating,
                takesAnyWord: argument.kind == "option" && argument.parsingStrategy == "unconditional")
            for name in argument.names ?? [] { options[name.written] = option }
        }
        self.options = options
    }

    /// The words are read as the parser reads them: `--name value`, `--name=value`, `-n value`, `-n=value`, several short names
    /// behind one dash, and nothing but values behind `--`. A value that begins with a dash is given as `--name=-value`, so a word
    /// that begins with one is a name.
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

    /// What a word that begins with a dash names; nothing that the parser will refuse.
    private func named(by word: String) -> [Option] {
        let name = String(word.prefix { $0 != "=" })
        if let option = options[name] { return [option] }
        guard !word.hasPrefix("--"), name == word else { return [] }
        return word.dropFirst().compactMap { options["-\($0)"] }
    }
}
