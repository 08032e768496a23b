internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct RestoreCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a copy of the SQLite store in its place. The server must not run.",
        discussion: """
            Nothing is replaced: move the old store away first, with all files whose names begin as its name does. \
            master.vault and its passphrase have to be those of the copy; `fuekid check` says whether they are.

            All sessions end: everybody signs in again. What was erased, removed or revoked after the copy was made is back: \
            accounts, passkeys, devices, and recovery codes that were used.

            Needs no passphrase. Changes nothing but the store.

            EXAMPLE

              mkdir old && mv auth/auth.sqlite* old/
              fuekid restore /var/backups/auth-monday.sqlite --home ./auth
            """)

    @Argument(help: "The copy, as `fuekid backup` made it.", completion: .file())
    var file: String

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let accounts: Int64
        let sessionsEnded: Int64

        enum CodingKeys: String, CodingKey {
            case accounts
            case sessionsEnded = "sessions_ended"
        }
    }

    func perform(_ output: Output) async throws {
        let configuration = try options.configuration()
        let report = try await Backup.restore(
            ServerOptions.absolute(file), configuration, home: options.serverHome)
        try output.receipt(Result(accounts: report.accounts, sessionsEnded: report.sessions)) {
            "restored: \(report.accounts) accounts; their \(report.sessions) sessions are ended"
        }
    }
}
