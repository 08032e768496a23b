internal import ArgumentParser
internal import AuthOperations
internal import AuthSettings
internal import Terminal

struct CheckCommand: FuekidCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check settings, keys and store, and say what is wrong or unwise. Changes nothing.",
        discussion: """
            A line begins with "ok", or with "!!" where something is unwise or not done yet. What would keep the server from \
            starting is an error: it goes to standard error, and the exit code tells its kind. The server may be running.

            Needs the passphrase.

            EXAMPLE

              fuekid check --home ./auth
            """)

    @OptionGroup var options: ServerOptions

    private struct Result: Encodable {
        struct Finding: Encodable {
            let about: String
            let good: Bool
            let text: String
        }

        let good: Bool
        let findings: [Finding]
    }

    func perform(_ output: Output) async throws {
        let configuration = try options.configuration()
        _ = try Environment.logLevel()
        var findings = [
            Preflight.Finding(
                isGood: true, about: "settings",
                text: "\(configuration.publicURL), listening on \(configuration.listen)")
        ]
        // This check comes before that of the passphrase, which the first start makes as well.
        try options.serverHome.requireVault(of: configuration.store)
        findings += try await Preflight.findings(
            configuration, home: options.serverHome, passphrase: try options.passphrase())
        findings += passphraseFindings()
        let result = Result(
            good: findings.allSatisfy(\.isGood),
            findings: findings.map { .init(about: $0.about, good: $0.isGood, text: $0.text) })
        try output.result(result) {
            findings.map { "\($0.isGood ? "ok" : "!!")  \($0.about): \($0.text)" }.joined(separator: "\n")
        }
    }

    private func passphraseFindings() -> [Preflight.Finding] {
        let path = options.passphrasePath
        var findings = path == "-" ? [] : Preflight.openFile(path, about: "passphrase")
        if options.hasPassphraseBesideVault {
            findings.append(
                .init(
                    isGood: false, about: "passphrase",
                    text:
                        "lies beside the vault: a copy of the folder opens all keys. Move \(path) elsewhere, and name "
                        + "it with --passphrase-file"))
        }
        return findings
    }
}
