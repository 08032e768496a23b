internal import ArgumentParser
internal import AuthServer

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a copy of the SQLite store in its place. The server must not run.",
        discussion: """
            There must be no store: move the old one away first. All sessions end, since those that were ended after the copy \
            was made would come back with it: everybody signs in again.
            """)

    @Argument(help: "The copy, as `fuekid backup` made it.", completion: .file())
    var file: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let configuration = try options.configuration()
        do {
            let report = try await Backup.restore(file, configuration, home: options.serverHome)
            say("restored: \(report.accounts) accounts; their \(report.sessions) sessions are ended")
        } catch {
            throw Failure(error)
        }
    }
}
