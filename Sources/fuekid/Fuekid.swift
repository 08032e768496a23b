internal import ArgumentParser
internal import AuthServer
internal import Invocation
internal import Secrets

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

@main
struct Fuekid: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuekid",
        abstract: "The server of Fueki: passkeys, and sessions that are bound to a device.",
        discussion: """
            EXAMPLE: on an empty folder, without any other set-up

              fuekid --role auth --home ./auth

            It makes its keys and a SQLite store, and prints the address to open in a browser.

            Settings are taken from a JSON file (--config; fuekid.json in the home folder, if it is there) and from the \
            environment, which goes before: session.idle_hours is FUEKID_SESSION_IDLE_HOURS. `fuekid settings` lists them \
            all; `fuekid check` says what is wrong with those of a server.

            EXIT CODES

            \(ExitCodes.text)
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, CheckCommand.self, AccountCommand.self, PasskeyCommand.self, BackupCommand.self,
            RestoreCommand.self, RevokeCommand.self, InviteCommand.self, ReassessCommand.self,
            AddMasterKeyCommand.self, ResealCommand.self, SettingsCommand.self,
            HealthCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        // A client that goes away must not end the server.
        signal(SIGPIPE, SIG_IGN)
        CoreDumps.forbid()
        // Each connection is a file.
        OpenFiles.raiseLimit()
        if let repeated = RepeatedOption.first(in: Array(CommandLine.arguments.dropFirst()), of: Self.self) {
            Output(json: CommandLine.arguments.contains("--json")).failure(.repeated(repeated.name))
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
            Output(json: CommandLine.arguments.contains("--json")).misuse(error)
            exit(withError: ExitCode.validationFailure)
        }
    }
}

enum Version {
    static let text = ServerVersion.text
}
