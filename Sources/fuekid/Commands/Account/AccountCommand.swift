internal import ArgumentParser
internal import AuthOperations
internal import Time

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "Look at accounts, lock them, erase them. The server may be running.",
        discussion: """
            An account is named by its id, which the log has beside each security event of it. An id that begins with a dash \
            stands behind two dashes: fuekid account show -- -AbC…
            """,
        subcommands: [
            AccountListCommand.self, AccountShowCommand.self, AccountEventsCommand.self, AccountLockCommand.self,
            AccountUnlockCommand.self, AccountEraseCommand.self,
        ])
}

/// An account in the form of `--json`. Times are seconds since 1970, as in the server's API.
struct AccountJSON: Encodable {
    let id: String
    let name: String?
    let created: Int64
    let locked: Int64?
    let passkeys: Int
    let sessions: Int
    let lastUsed: Int64?

    enum CodingKeys: String, CodingKey {
        case name, passkeys, sessions
        case id = "account_id"
        case created = "created_at"
        case locked = "locked_at"
        case lastUsed = "last_used_at"
    }

    init(_ account: AccountSummary) {
        id = "\(account.id)"
        name = account.name
        created = account.created.seconds
        locked = account.locked?.seconds
        passkeys = account.passkeys
        sessions = account.sessions
        lastUsed = account.lastUsed?.seconds
    }
}

/// A security event in the form of `--json`.
struct EventJSON: Encodable {
    let kind: String
    let at: Int64
    let address: String?
    let device: String?
    let session: String?
    let reason: String?

    enum CodingKeys: String, CodingKey {
        case kind, at, address, reason
        case device = "device_id"
        case session = "session_id"
    }

    init(_ event: AccountEvent) {
        kind = event.kind
        at = event.at.seconds
        address = event.address
        device = event.device
        session = event.session
        reason = event.reason
    }
}

extension AccountSummary {
    /// The text, in one line.
    var text: String {
        let parts = [
            "\(id)", "created \(created.text)", counted(passkeys, "passkey"), counted(sessions, "session"),
            "last used \(lastUsed.text)", locked.map { "LOCKED since \($0.text)" }, name.map { "“\($0.printable)”" },
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }
}

extension AccountEvent {
    /// The text, in one line.
    var text: String {
        let parts = [
            at.text, kind, address.map { "from \($0.printable)" }, device.map { "device \($0.printable)" },
            session.map { "session \($0.printable)" }, reason.map(\.printable),
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }
}
