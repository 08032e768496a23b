internal import ArgumentParser
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

            SETTINGS are taken from a JSON file (--config; HOME/fuekid.json if it is there) and from the environment, which
            goes before: session.idle_hours is FUEKID_SESSION_IDLE_HOURS. `fuekid check` says what is wrong with them.
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, CheckCommand.self, BackupCommand.self, RestoreCommand.self, RevokeCommand.self,
            AddMasterKeyCommand.self, ResealCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        // A client that goes away must not end the server.
        signal(SIGPIPE, SIG_IGN)
        CoreDumps.forbid()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            failure.print()
            exit(withError: ExitCode(failure.code))
        } catch {
            exit(withError: error)
        }
    }
}

enum Version {
    static let text = "0.1.0"
}
