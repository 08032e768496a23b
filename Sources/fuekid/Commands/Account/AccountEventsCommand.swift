internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct AccountEventsCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List the last security events of an account, the newest first.",
        discussion: """
            The store keeps them for 400 days. An event without an address is the operator's doing. Needs the passphrase. \
            Changes nothing.

            EXAMPLE

              fuekid account events 5vT0c1bq7mWJ2nXe4kQz9A --home ./auth
            """)

    @Argument(help: .value("account", "The account's id."))
    var account: String

    @Option(help: .value("count", "How many events at most, 1 to \(OperatorAccounts.mostAtOnce)."))
    var limit = 50

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable { let events: [EventJSON] }

    func validate() throws {
        guard (1...OperatorAccounts.mostAtOnce).contains(limit) else {
            throw ValidationError("--limit has to be 1 to \(OperatorAccounts.mostAtOnce).")
        }
    }

    func perform(_ output: Output) async throws {
        let id = try OperatorAccounts.id(account)
        let events = try await OperatorAccounts.with(
            try options.configuration(), home: options.serverHome, passphrase: try options.passphrase()
        ) { try await $0.events(of: id, limit: limit) }
        try output.result(Result(events: events.map(EventJSON.init))) {
            events.isEmpty ? "no events" : events.map(\.text).joined(separator: "\n")
        }
    }
}
