internal import ArgumentParser
internal import AuthServer

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check settings, keys and store, and say what is wrong or unwise. Changes nothing.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let configuration = try options.configuration()
        say("ok  settings: \(configuration.publicURL), listening on \(configuration.listen)")
        guard options.serverHome.hasVault else {
            throw Failure(
                code: Failure.configuration, message: "\(options.serverHome.path): there is no vault yet",
                hint: "the first start makes it: fuekid --role auth --home \(options.serverHome.path)")
        }
        do {
            for line in try await Preflight.findings(
                configuration, home: options.serverHome, passphrase: try options.passphrase())
            {
                say("\(line.isGood ? "ok" : "!!")  \(line.text)")
            }
        } catch {
            throw Failure(error)
        }
        if options.hasPassphraseBesideVault {
            say(
                """
                !!  the passphrase lies beside the vault: whoever copies the folder has the keys. Move \
                \(options.serverHome.passphrasePath) elsewhere, and name it with --passphrase-file
                """)
        }
    }
}
