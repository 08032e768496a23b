package import ArgumentParser
internal import Secrets

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A program with subcommands: how it begins, and how it tells what is wrong with a command line.
package protocol Program: AsyncParsableCommand {
    /// Where its words go, before a command line is understood.
    static func output(json: Bool) -> Output

    /// Advice for a command line that could not be understood.
    static func hint(for arguments: [String]) -> String?
}

extension Program {
    package static func hint(for arguments: [String]) -> String? { nil }

    /// Runs the command that the command line names, and returns when it is done; ends the process where it fails.
    package static func start() async {
        // A reader that goes away (`… | head`), or a client, must not end a command half way.
        signal(SIGPIPE, SIG_IGN)
        CoreDumps.forbid()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let output = output(json: arguments.contains("--json"))
        if let repeated = RepeatedOption.first(in: arguments, of: Self.self) {
            output.failure(.repeated(repeated.name))
            exit(withError: ExitCode.validationFailure)
        }
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            // An `ExitCode` is a failure that has been told already; help and versions are no failures.
            guard !(error is ExitCode), exitCode(for: error) == .validationFailure else { exit(withError: error) }
            // In full there is "Error: " before the same words, and the usage behind them.
            let full = fullMessage(for: error)
            let suggestion = Suggestion.first(in: arguments, of: Self.self).map { suggestion in
                "did you mean '\(_commandName) \(suggestion.command)'?"
            }
            output.misuse(
                full.hasPrefix("Error: ") ? String(full.dropFirst(7)) : full, summary: message(for: error),
                hint: suggestion ?? hint(for: arguments))
            exit(withError: ExitCode.validationFailure)
        }
    }
}
