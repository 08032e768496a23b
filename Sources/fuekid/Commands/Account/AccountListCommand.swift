internal import ArgumentParser
internal import AuthOperations
internal import AuthSettings
internal import Terminal

struct AccountListCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts, in the order of their ids.",
        discussion: """
            Ids are random, so that the order says nothing. The names that people gave their accounts are sealed in the store, \
            and shown only with --names. Needs the passphrase. Changes nothing.

            EXAMPLE

              fuekid account list --limit 20 --home ./auth
            """)

    @Option(help: .value("count", "How many accounts at most, 1 to \(OperatorAccounts.mostAtOnce)."))
    var limit = 100

    @Option(
        parsing: .unconditional,
        help: .value("id", "Begin behind this account: the last one of the page before."))
    var after: String?

    @Flag(help: "Show the names that people gave their accounts.")
    var names = false

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let accounts: [AccountJSON]
        let next: String?
    }

    func validate() throws {
        guard (1...OperatorAccounts.mostAtOnce).contains(limit) else {
            throw ValidationError("--limit has to be 1 to \(OperatorAccounts.mostAtOnce).")
        }
    }

    func perform(_ output: Output) async throws {
        let start = try after.map { text throws(StartupError) in try OperatorAccounts.id(text) }
        let page = try await OperatorAccounts.with(
            try options.configuration(), home: options.serverHome, passphrase: try options.passphrase()
        ) { try await $0.page(after: start, limit: limit, showingNames: names) }
        let result = Result(accounts: page.accounts.map(AccountJSON.init), next: page.next.map { "\($0)" })
        try output.result(result) {
            let lines = page.accounts.isEmpty ? ["no accounts"] : page.accounts.map(\.text)
            return (lines + (page.next.map { ["there are more: fuekid account list --after \($0)"] } ?? []))
                .joined(separator: "\n")
        }
    }
}
