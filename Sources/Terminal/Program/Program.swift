package import ArgumentParser
internal import Secrets
internal import Texts

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A program with subcommands: how it starts, and how it reports an error in the command line.
package protocol Program: AsyncParsableCommand {
    /// Returns the output to use before the command line is parsed.
    static func output(json: Bool) -> Output

    /// Returns advice for a command line that could not be parsed.
    static func hint(for arguments: [String]) -> String?
}

extension Program {
    package static func hint(for arguments: [String]) -> String? { nil }

    /// Runs the command of the command line, and returns when it is done; ends the process if it fails.
    package static func start() async {
        StandardStream.occupyClosed()
        // A reader or client that goes away (`… | head`) must not end a command half way.
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
            ProgressLine.ofProcess.finish()
        } catch {
            // An `ExitCode` is a failure that was already reported; help and versions are not failures.
            guard !(error is ExitCode), exitCode(for: error) == .validationFailure else { exit(withError: error) }
            // The full message has "Error: " before the same words, and the usage after them.
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
