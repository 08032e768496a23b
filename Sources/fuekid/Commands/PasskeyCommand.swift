internal import ArgumentParser
internal import AuthOperations
internal import Terminal
internal import Texts

struct PasskeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkey", abstract: "Take passkeys out of accounts. The server may be running.",
        subcommands: [PasskeyRemoveCommand.self])
}

struct PasskeyRemoveCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a passkey that is lost or stolen. All sessions of the account end.",
        discussion: """
            Sessions end because any of them may have been begun with that passkey; the owner signs in again with another one. \
            The last passkey of an account stays unless --force is given: after that, the owner gets in with a recovery code \
            only. An id that begins with a dash stands behind two dashes. Needs the passphrase.

            EXAMPLE

              fuekid passkey remove 5vT0c1bq7mWJ2nXe4kQz9A w5sQb0rX --home ./auth
            """)

    @Argument(help: .value("account", "The account's id."))
    var account: String

    @Argument(help: .value("passkey", "The passkey's id, as `fuekid account show` lists it."))
    var passkey: String

    @Flag(help: "Remove it also if it is the account's last.")
    var force = false

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let sessionsEnded: Int
        let passkeysLeft: Int
        let recoveryCodesLeft: Int

        enum CodingKeys: String, CodingKey {
            case sessionsEnded = "sessions_ended"
            case passkeysLeft = "passkeys_left"
            case recoveryCodesLeft = "recovery_codes_left"
        }
    }

    func perform(_ output: Output) async throws {
        let id = try OperatorAccounts.id(account)
        let outcome = try await OperatorAccounts.with(
            try options.configuration(), home: options.serverHome, passphrase: try options.passphrase()
        ) { try await $0.removePasskey(passkey, of: id, evenLast: force) }
        switch outcome {
        case .removed(let sessions, let passkeys, let codes):
            try output.receipt(
                Result(sessionsEnded: sessions, passkeysLeft: passkeys, recoveryCodesLeft: codes)
            ) {
                "removed; \(counted(sessions, "session")) ended; \(counted(passkeys, "passkey")) and "
                    + "\(counted(codes, "unused recovery code")) are left"
            }
        case .isLast(let codes):
            throw Failure(
                code: .usage, name: "passkey_last",
                message:
                    "this is the account's last passkey, with \(counted(codes, "unused recovery code")) left; nothing was done",
                hint: codes == 0
                    ? "without a passkey and a recovery code the account stays closed; --force removes it anyway"
                    : "--force removes it: the owner then gets in with a recovery code only")
        }
    }
}
