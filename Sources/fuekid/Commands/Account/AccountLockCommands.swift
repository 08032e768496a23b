internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct AccountLockCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock an account: its sessions end, and sign-ins are refused until it is unlocked.",
        discussion: """
            Sign-ins, refreshes and recoveries are refused with the code account_locked, which is told only to a client \
            that has shown a passkey, a token or a recovery code of the account. Nothing of the account is removed. Services \
            that do not ask the server (RFC 7662) take access tokens until they expire, 15 minutes at most.

            The reason is sealed in the store, and stands in the owner's export. Needs the passphrase.

            EXAMPLE

              fuekid account lock 5vT0c1bq7mWJ2nXe4kQz9A --home ./auth
            """)

    @Argument(help: .value("account", "The account's id."))
    var account: String

    @Option(help: .value("text", "Why, in 1 to 200 characters."))
    var reason: String?

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let wasLocked: Bool
        let sessionsEnded: Int

        enum CodingKeys: String, CodingKey {
            case wasLocked = "was_locked"
            case sessionsEnded = "sessions_ended"
        }
    }

    func validate() throws {
        if let reason, LockReason(reason) == nil {
            throw ValidationError("--reason has to have 1 to 200 characters, and no control characters.")
        }
    }

    func perform(_ output: Output) async throws {
        let id = try OperatorAccounts.id(account)
        let outcome = try await OperatorAccounts.with(
            try options.configuration(), home: options.serverHome, passphrase: try options.passphrase()
        ) { try await $0.lock(id, reason: reason.flatMap(LockReason.init)) }
        switch outcome {
        case .locked(let count):
            try output.receipt(Result(wasLocked: false, sessionsEnded: count)) {
                "locked; \(counted(count, "session")) ended"
            }
        case .wasLocked:
            try output.receipt(Result(wasLocked: true, sessionsEnded: 0)) {
                "the account was locked before; nothing has changed"
            }
        }
    }
}

struct AccountUnlockCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock an account: its owner can sign in again with a passkey.",
        discussion: """
            Sessions that the lock has ended stay ended. Needs the passphrase.

            EXAMPLE

              fuekid account unlock 5vT0c1bq7mWJ2nXe4kQz9A --home ./auth
            """)

    @Argument(help: .value("account", "The account's id."))
    var account: String

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        let wasLocked: Bool

        enum CodingKeys: String, CodingKey { case wasLocked = "was_locked" }
    }

    func perform(_ output: Output) async throws {
        let id = try OperatorAccounts.id(account)
        let wasLocked = try await OperatorAccounts.with(
            try options.configuration(), home: options.serverHome, passphrase: try options.passphrase()
        ) { try await $0.unlock(id) }
        try output.receipt(Result(wasLocked: wasLocked)) {
            wasLocked ? "unlocked" : "the account was not locked; nothing has changed"
        }
    }
}
