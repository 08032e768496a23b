internal import ArgumentParser
internal import AuthOperations
internal import Foundation
internal import Terminal
internal import Texts

struct AccountEraseCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase an account with all that belongs to it. It cannot be undone.",
        discussion: """
            Its passkeys, devices, sessions, recovery codes and names are removed at once. What stays leads to no \
            person: the kinds and times of security events. Backups that were made before still have the account.

            On a terminal it asks first; elsewhere it needs --yes. Needs the passphrase.

            EXAMPLE

              fuekid account erase 5vT0c1bq7mWJ2nXe4kQz9A --yes --home ./auth
            """)

    @Argument(help: .value("account", "The account's id."))
    var account: String

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable { let erased: Bool }

    func perform(_ output: Output) async throws {
        let id = try OperatorAccounts.id(account)
        try await OperatorAccounts.with(
            try options.configuration(), home: options.serverHome, passphrase: try options.passphrase()
        ) { accounts in
            let summary = try await accounts.summary(of: id)
            if !yes { try confirm(summary) }
            try await accounts.erase(id)
        }
        try output.receipt(Result(erased: true)) { "erased; backups that were made before still have the account" }
    }

    private func confirm(_ account: AccountSummary) throws(Failure) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw Failure(
                code: .usage, name: "not_confirmed", message: "an erasure cannot be undone; nothing was done",
                hint: "give --yes, or run it on a terminal")
        }
        FileHandle.standardError.write(Data("\(account.text)\nErase this account for ever? Type yes: ".utf8))
        guard readLine() == "yes" else {
            throw Failure(code: .usage, name: "not_confirmed", message: "nothing was done")
        }
    }
}
