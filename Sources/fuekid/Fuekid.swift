internal import ArgumentParser
internal import ServerHTTP
internal import Terminal
internal import Texts

@main
struct Fuekid: Program {
    static let configuration = CommandConfiguration(
        commandName: "fuekid",
        abstract: "The server of Fueki: passkeys, and sessions that are bound to a device.",
        discussion: """
            EXAMPLE: on an empty folder, without any other set-up

              fuekid --role auth --home ./auth

            It makes its keys and a SQLite store, and prints the address to open in a browser.

            Settings are taken from a JSON file (--config; fuekid.json in the home folder, if it is there) and from \
            the environment; environment variables take precedence: session.idle_hours is FUEKID_SESSION_IDLE_HOURS. \
            `fuekid settings` lists them all; `fuekid check` says what is wrong with those of a server.

            EXIT CODES

            \(exitCodes.table)
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, CheckCommand.self, AccountCommand.self, PasskeyCommand.self, BackupCommand.self,
            RestoreCommand.self, RevokeCommand.self, InviteCommand.self, ReassessCommand.self, AuditCommand.self,
            AddMasterKeyCommand.self, ResealCommand.self, SettingsCommand.self,
            HealthCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        // Each connection uses an open file.
        OpenFiles.raiseLimit()
        await start()
    }

    /// Returns the output. A server does not wait for the reader of its messages.
    static func output(json: Bool) -> Output { Output(program: "fuekid", json: json, patience: 2_000) }

    static func hint(for arguments: [String]) -> String? {
        // The parser treats such an argument as an option.
        guard arguments.contains(where: { $0.wholeMatch(of: /-[A-Za-z0-9_-]{21}/) != nil }) else { return nil }
        return "an id that begins with a dash stands behind two dashes: -- -AbC…"
    }

    static let exitCodes = ExitCodes([
        .wrongPassphrase: "the passphrase is wrong",
        .usage: "wrong usage",
        .malformed: "a store, a copy or a vault is damaged",
        .missing: "a file, the store or the account is not there",
        .unavailable: "the store does not answer, or the address is in use",
        .unwritable: "a file exists already, or the disk is full",
        .unreported: "done, but the result could not be written to standard output",
        .busy: "another process has the vault in use",
        .permissions: "the permissions of a file are too open, or too strict",
        .settings: "a setting is wrong, or does not fit the store",
    ])
}
