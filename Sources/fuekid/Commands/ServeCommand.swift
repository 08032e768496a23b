internal import ArgumentParser
internal import AuthServer

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve until the process is told to end (SIGTERM, SIGINT).")

    /// The roles there are. More come with the guardian.
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case auth
    }

    @Option(help: "What to serve.")
    var role: Role

    @OptionGroup var options: ServerOptions

    func run() async throws {
        let configuration = try options.configuration()
        try await options.prepareHome()
        do {
            let server = try await AuthServer(
                configuration, home: options.serverHome, passphrase: try options.passphrase(), logger: options.logger())
            let chosen = configuration.listen.port
            try await server.run { port in
                // Where the system chose the port, the address is the one that it chose.
                let url = chosen == 0 ? "http://localhost:\(port)" : "\(configuration.publicURL)"
                say("fuekid is ready: \(url)")
            }
        } catch {
            throw Failure(error)
        }
    }
}
