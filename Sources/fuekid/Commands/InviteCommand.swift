internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct InviteCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make invitations: codes with which people make accounts. The server may be running.",
        discussion: """
            Each code makes one account. It is shown once: the store has only a hash of it. The server asks for codes where the \
            setting sign_up is invitation.

            Needs the passphrase. Changes the store.

            EXAMPLE: ten codes, good for a week

              fuekid invite --count 10 --expires 168 --home ./auth
            """)

    @Option(help: .value("number", "How many codes, 1 to 1000."))
    var count = 1

    @Option(help: .value("hours", "For how many hours they are good, 1 to 8760."))
    var expires = 72

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let codes: [String]
        let expires: Int64
        let open: Int
    }

    func validate() throws {
        guard Inviting.counts.contains(count) else { throw ValidationError("Give --count a number from 1 to 1000.") }
        guard Inviting.hours.contains(expires) else {
            throw ValidationError("Give --expires a number of hours from 1 to 8760.")
        }
    }

    func perform(_ output: Output) async throws {
        let configuration = try options.configuration()
        let report = try await Inviting.invite(
            count, validFor: expires, configuration, home: options.serverHome, passphrase: try options.passphrase())
        try output.receipt(Result(codes: report.codes, expires: report.expires, open: report.open)) {
            report.codes.joined(separator: "\n")
        }
    }
}
