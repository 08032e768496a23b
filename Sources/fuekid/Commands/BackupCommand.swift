internal import ArgumentParser
internal import AuthServer

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the SQLite store to a file, also while the server runs.",
        discussion: """
            The copy is sealed as the store is: it needs master.vault and its passphrase, which belong in another place. \
            Accounts that are erased later are still in it.
            """)

    @Argument(help: "The file to make. Nothing may be there.", completion: .file())
    var file: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let configuration = try options.configuration()
        do {
            let report = try await Backup.make(configuration, home: options.serverHome, at: file)
            say("copied and checked: \(report.accounts) accounts, \(report.sessions) sessions")
        } catch {
            throw Failure(error)
        }
    }
}
