internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct BackupCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the SQLite store to a file, also while the server runs.",
        discussion: """
            The copy is whole, checked and on the disk, or there is none. It is sealed as the store is: it opens only with \
            master.vault and its passphrase. Copy these two once, and again after `fuekid add-master-key`, to another place. \
            Accounts that are erased later are still in the copy.

            Needs no passphrase. Changes nothing. A store in PostgreSQL is copied with pg_dump.

            EXAMPLE

              fuekid backup /var/backups/auth-monday.sqlite --home ./auth
            """)

    @Argument(help: "The file to make. Nothing may be there.", completion: .file())
    var file: String

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let file: String
        let accounts: Int64
        let sessions: Int64
    }

    func perform(_ output: Output) async throws {
        let configuration = try options.configuration()
        let path = ServerOptions.absolute(file)
        let report = try await Backup.make(configuration, home: options.serverHome, at: path)
        try output.receipt(Result(file: path, accounts: report.accounts, sessions: report.sessions)) {
            "\(path): copied and checked: \(report.accounts) accounts, \(report.sessions) sessions"
        }
    }
}
