internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct RevokeCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End sessions: of one account, or all there are. The server may be running.",
        discussion: """
            The affected people sign in again with a passkey. The server takes none of their tokens from then on; \
            services that do not ask it (RFC 7662) take access tokens until they expire, 15 minutes at most.

            The id of an account is in the log beside each security event of it, and in its owner's export. Needs the \
            passphrase.

            EXAMPLE: all sessions, after something went wrong

              fuekid revoke --all --home ./auth
            """)

    @Option(help: .value("id", "The account whose sessions end."))
    var account: String?

    @Flag(help: "Every session of every account.")
    var all = false

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let sessionsEnded: Int

        enum CodingKeys: String, CodingKey { case sessionsEnded = "sessions_ended" }
    }

    func validate() throws {
        guard (account == nil) == all else { throw ValidationError("Give either --account or --all.") }
    }

    func perform(_ output: Output) async throws {
        let configuration = try options.configuration()
        let count = try await Revocation.endSessions(
            of: account, configuration, home: options.serverHome, passphrase: try options.passphrase())
        try output.receipt(Result(sessionsEnded: count)) { "\(count) sessions ended" }
    }
}
