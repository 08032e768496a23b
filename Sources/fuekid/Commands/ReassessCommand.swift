internal import ArgumentParser
internal import AuthOperations
internal import Terminal

struct ReassessCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "reassess",
        abstract: "Judge every stored attestation by today's certificates, metadata and revocation list.",
        discussion: """
            Run it after a file under attestation.* has changed, and after an update of this program that says so. It looks at \
            the attestation of every passkey and device, and prints what is worth more or less than before. Nothing is \
            written without --apply.

            With --apply, sessions say what was found with their next access token, in 15 minutes at most, and each owner \
            whose passkey or device lost its trust has a security event. Where attestation.required is true, a passkey that \
            has lost its trust signs in no more; its sessions go on. Its owner signs in with another passkey or a recovery \
            code. If it was a mistake, put the file back and run this again.

            The server may be running. It reads the files itself when it starts, and again on SIGHUP: send it, so that new \
            passkeys are judged by the same ones. Needs the passphrase.

            EXAMPLE: see what would change, then change it

              fuekid reassess --home ./auth
              fuekid reassess --apply --home ./auth
            """)

    @Flag(help: "Write what was found.")
    var apply = false

    @OptionGroup var options: ServerOptions

    fileprivate struct Result: Encodable {
        struct Change: Encodable {
            struct Worth: Encodable {
                let trust: String
                let keyProtection: String?
                let keyEvidence: String?

                enum CodingKeys: String, CodingKey {
                    case trust
                    case keyProtection = "key_protection"
                    case keyEvidence = "key_evidence"
                }
            }

            let subject: String
            let id: String
            let account: String
            let before: Worth
            let after: Worth
            let reason: String?
        }

        let seen: Int
        let raised: Int
        let lowered: Int
        let altered: Int
        let applied: Bool
        let changes: [Change]
    }

    func perform(_ output: Output) async throws {
        let configuration = try options.configuration()
        let report = try await Reassessment.run(
            configuration, home: options.serverHome, passphrase: try options.passphrase(), isApplied: apply)
        let result = Result(
            seen: report.seen, raised: report.raised, lowered: report.lowered, altered: report.altered,
            applied: report.isApplied, changes: report.changes.map(Result.Change.init))
        try output.receipt(result) { text(report) }
    }

    private func text(_ report: Reassessment.Report) -> String {
        var lines = report.changes.map { change in
            let reason = change.reason.map { " (\($0))" } ?? ""
            return "\(change.subject.rawValue) \(change.id) of account \(change.account): "
                + "\(change.before.text) -> \(change.after.text)\(reason)"
        }
        let unlisted = report.changed - report.changes.count
        if unlisted > 0 { lines.append("and \(unlisted) more") }
        lines.append(
            "\(report.seen) attestations: \(report.raised) are worth more, \(report.lowered) less, "
                + "\(report.altered) changed otherwise")
        if report.changed > 0, !report.isApplied { lines.append("nothing was written: add --apply to write it") }
        return lines.joined(separator: "\n")
    }
}

extension ReassessCommand.Result.Change {
    fileprivate init(_ change: Reassessment.Change) {
        self.init(
            subject: change.subject.rawValue, id: change.id, account: change.account,
            before: Worth(change.before), after: Worth(change.after), reason: change.reason)
    }
}

extension ReassessCommand.Result.Change.Worth {
    fileprivate init(_ worth: Reassessment.Worth) {
        self.init(trust: worth.trust, keyProtection: worth.keyProtection, keyEvidence: worth.keyEvidence)
    }
}

extension Reassessment.Worth {
    fileprivate var text: String {
        guard let keyProtection, let keyEvidence, keyEvidence != "none" else { return trust }
        return "\(trust), key in \(keyProtection) by \(keyEvidence)"
    }
}
