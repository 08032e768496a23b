internal import ArgumentParser
internal import AuthOperations
internal import Terminal
internal import Time

struct AccountShowCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account: its passkeys, devices, living sessions, recovery codes, last events.",
        discussion: """
            The names that people gave are sealed in the store, and shown only with --names. Needs the passphrase. Changes \
            nothing.

            EXAMPLE

              fuekid account show 5vT0c1bq7mWJ2nXe4kQz9A --home ./auth
            """)

    @Argument(help: .value("account", "The account's id."))
    var account: String

    @Flag(help: "Show the names that people gave account, passkeys and devices.")
    var names = false

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        struct Passkey: Encodable {
            let id: String
            let name: String?
            let created: Int64
            let lastUsed: Int64?
            let synchronised: Bool
            let attestation: String

            enum CodingKeys: String, CodingKey {
                case name, synchronised, attestation
                case id = "passkey_id"
                case created = "created_at"
                case lastUsed = "last_used_at"
            }
        }

        struct Device: Encodable {
            let id: String
            let name: String?
            let created: Int64
            let lastSeen: Int64
            let revoked: Int64?

            enum CodingKeys: String, CodingKey {
                case name
                case id = "device_id"
                case created = "created_at"
                case lastSeen = "last_seen_at"
                case revoked = "revoked_at"
            }
        }

        struct Session: Encodable {
            let id: String
            let device: String
            let created: Int64
            let lastUsed: Int64
            let expires: Int64
            let authenticated: Int64
            let assurance: String

            enum CodingKeys: String, CodingKey {
                case id = "session_id"
                case device = "device_id"
                case created = "created_at"
                case lastUsed = "last_used_at"
                case expires = "expires_at"
                case authenticated = "auth_time"
                case assurance = "acr"
            }
        }

        let account: AccountJSON
        let lockReason: String?
        let passkeys: [Passkey]
        let devices: [Device]
        let sessions: [Session]
        let recoveryCodesLeft: Int
        let events: [EventJSON]

        enum CodingKeys: String, CodingKey {
            case account, passkeys, devices, sessions, events
            case lockReason = "lock_reason"
            case recoveryCodesLeft = "recovery_codes_left"
        }

        init(_ details: AccountDetails) {
            account = AccountJSON(details.summary)
            lockReason = details.lockReason
            passkeys = details.passkeys.map {
                Passkey(
                    id: $0.id, name: $0.name, created: $0.created.seconds, lastUsed: $0.lastUsed?.seconds,
                    synchronised: $0.isBackupEligible, attestation: $0.attestation)
            }
            devices = details.devices.map {
                Device(
                    id: "\($0.id)", name: $0.name, created: $0.created.seconds, lastSeen: $0.lastSeen.seconds,
                    revoked: $0.revoked?.seconds)
            }
            sessions = details.sessions.map {
                Session(
                    id: "\($0.id)", device: "\($0.device)", created: $0.created.seconds,
                    lastUsed: $0.lastUsed.seconds, expires: $0.expires.seconds,
                    authenticated: $0.authenticated.seconds, assurance: $0.assurance)
            }
            recoveryCodesLeft = details.recoveryCodesLeft
            events = details.events.map(EventJSON.init)
        }
    }

    func perform(_ output: Output) async throws {
        let id = try OperatorAccounts.id(account)
        let details = try await OperatorAccounts.with(
            try options.configuration(), home: options.serverHome, passphrase: try options.passphrase()
        ) { try await $0.details(of: id, showingNames: names) }
        try output.result(Result(details)) { Self.text(details) }
    }

    private static func text(_ details: AccountDetails) -> String {
        let summary = details.summary
        var lines = ["account \(summary.id)"]
        if let name = summary.name { lines.append("name “\(name.printable)”") }
        lines.append("created \(summary.created.text), last used \(summary.lastUsed.text)")
        if let locked = summary.locked {
            lines.append("LOCKED since \(locked.text)" + (details.lockReason.map { ": \($0.printable)" } ?? ""))
        }
        lines.append("\(counted(details.recoveryCodesLeft, "recovery code")) left")
        lines.append("\(counted(details.passkeys.count, "passkey")):")
        lines += details.passkeys.map { passkey in
            line([
                passkey.id, "created \(passkey.created.text)", "last used \(passkey.lastUsed.text)",
                passkey.isBackupEligible ? "synchronised" : "of one device", "attestation \(passkey.attestation)",
                passkey.name.map { "“\($0.printable)”" },
            ])
        }
        lines.append("\(counted(details.devices.count, "device")):")
        lines += details.devices.map { device in
            line([
                "\(device.id)", "created \(device.created.text)", "last seen \(device.lastSeen.text)",
                device.revoked.map { "REVOKED \($0.text)" }, device.name.map { "“\($0.printable)”" },
            ])
        }
        lines.append("\(counted(details.sessions.count, "living session")):")
        lines += details.sessions.map { session in
            line([
                "\(session.id)", "device \(session.device)", "created \(session.created.text)",
                "last used \(session.lastUsed.text)", session.assurance,
            ])
        }
        lines.append("last events:")
        lines += details.events.map { "  " + $0.text }
        return lines.joined(separator: "\n")
    }

    private static func line(_ parts: [String?]) -> String {
        "  " + parts.compactMap { $0 }.joined(separator: "  ")
    }
}
