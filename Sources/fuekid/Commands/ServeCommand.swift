internal import ArgumentParser
internal import AuthServer
internal import Foundation
internal import Terminal

struct ServeCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve until the process is told to end (SIGTERM, SIGINT).",
        discussion: """
            On an empty folder it makes the keys (master.vault), a passphrase for them unless one is named, and the store. \
            It then prints one line with the address, and goes on. The log goes to standard error, one JSON object a line. \
            Told to end, it takes no more requests, gives those under way 20 seconds, and ends with exit code 0.

            On SIGHUP it reads the files again that the settings name: certificate and key, the certificates of makers, the \
            metadata. Connections go on. What cannot be read is told in the log, and the old stays in use. The settings \
            themselves are read at the start.

            The subcommand's name may be left out.

            EXAMPLE

              fuekid --role auth --home ./auth
            """)

    /// The roles there are. More come with the guardian.
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case auth
    }

    @Option(help: "What to serve.")
    var role: Role?

    /// What is no option: a command that there is not.
    @Argument(help: .hidden)
    var others: [String] = []

    @OptionGroup var options: ServerOptions

    private struct Ready: Encodable {
        let url: String
        let port: Int
    }

    /// Not by the parser: it would tell of the role whatever else was wrong.
    func validate() throws {
        if let other = others.first { throw ValidationError("There is no command “\(other)”: see fuekid --help") }
        guard role != nil else { throw ValidationError("Say what to serve: fuekid --role auth") }
    }

    func perform(_ output: Output) async throws {
        // Files that have changed before the start is over are read as they are then.
        signal(SIGHUP, SIG_IGN)
        let configuration = try options.configuration()
        let log = LogWriter(to: STDERR_FILENO, tellingOfDropped: JSONLogHandler.dropped)
        // Before the process ends, and before the reason is told if it ends by an error.
        defer { log.flush() }
        let logger = try Environment.logger(to: log)
        try await options.prepareHome(for: configuration)
        let server = try await AuthServer(
            configuration, home: options.serverHome, passphrase: try options.passphrase(), logger: logger,
            droppedLogLines: { log.dropped })
        let url = "\(configuration.publicURL)"
        try await server.run(notifying: ServiceManager(environment: Environment.all)) { port in
            // Whoever started it may not read any more; it serves all the same.
            try? output.line(Ready(url: url, port: port)) { "fuekid is ready: \(url)" }
        }
    }
}
