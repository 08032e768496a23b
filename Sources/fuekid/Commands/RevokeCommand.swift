internal import ArgumentParser
internal import AuthServer

struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End sessions: of one account, or all there are. The server may be running.",
        discussion: "Whoever is affected signs in again with a passkey. Access tokens end with their sessions.")

    @Option(help: ArgumentHelp("The account whose sessions end.", valueName: "id"))
    var account: String?

    @Flag(help: "Every session of every account.")
    var all = false

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard (account == nil) == all else { throw ValidationError("give either --account or --all") }
    }

    func run() async throws {
        let configuration = try options.configuration()
        do {
            let count = try await Revocation.endSessions(
                of: account, configuration, home: options.serverHome, passphrase: try options.passphrase())
            say("\(count) sessions ended")
        } catch {
            throw Failure(error)
        }
    }
}
