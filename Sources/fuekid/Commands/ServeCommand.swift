internal import ArgumentParser
internal import AuthOperations
internal import AuthServer
internal import AuthSettings
internal import Foundation
internal import Logging
internal import ServerHTTP
internal import Terminal
internal import Time

struct ServeCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve until the process is told to end (SIGTERM, SIGINT).",
        discussion: """
            On an empty folder it makes the keys (master.vault), a passphrase for them unless one is named, and the store. \
            It then prints one line with the address, and goes on. The log goes to standard error, one JSON object a line. \
            Told to end, it takes no more requests, gives those under way 20 seconds, and ends with exit code 0.

            On SIGHUP it reads the files again that the settings name: certificate and key, the certificates of makers, the \
            metadata, the keys of witnessed logs, the logo. Connections go on. What cannot be read is told in the log, and the \
            old stays in use. The settings themselves are read at the start.

            The subcommand's name may be left out.

            EXAMPLE

              fuekid --role auth --home ./auth
            """)

    /// The roles of the server. The guardian will add another one.
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case auth
    }

    @Option(help: "What to serve.")
    var role = Role.auth

    /// Words that are not options: the name of a command that does not exist.
    @Argument(help: .hidden)
    var others: [String] = []

    @OptionGroup var options: ServerOptions

    private struct Ready: Encodable {
        let url: String
        let port: Int
    }

    func validate() throws {
        if let other = others.first { throw ValidationError("The command “\(other)” is unknown: see fuekid --help") }
    }

    func perform(_ output: Output) async throws {
        // A SIGHUP before the end of the start is ignored: the start reads the changed files anyway.
        signal(SIGHUP, SIG_IGN)
        let configuration = try options.configuration()
        let log = LogWriter(to: STDERR_FILENO, tellingOfDropped: JSONLogHandler.dropped)
        // The log is flushed before the process ends, and before an error's reason is printed.
        defer { log.flush() }
        let logger = try Environment.logger(to: log)
        try await options.prepareHome(for: configuration)
        for finding in Preflight.warnings(configuration, home: options.serverHome, at: .now()) {
            logger.warning("\(finding.text)")
        }
        let server = try await AuthServer(
            configuration, home: options.serverHome, passphrase: try options.passphrase(), logger: logger,
            droppedLogLines: { log.dropped })
        let url = "\(configuration.publicURL)"
        try await server.run(notifying: ServiceManager(environment: Environment.all)) { port in
            // The program that started the server may have stopped reading. The server continues.
            try? output.line(Ready(url: url, port: port)) { "fuekid is ready: \(url)" }
        }
    }
}
