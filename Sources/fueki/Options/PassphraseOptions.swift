internal import ArgumentParser
internal import Secrets
internal import Terminal

/// Where the passphrase comes from. Never an argument: the arguments of a process are public on the machine it runs on.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take the first line of this file as the passphrase ('-' is standard input), instead of asking.",
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    /// The passphrase that opens what exists.
    func existing() throws(Failure) -> SecretBytes {
        if let passphraseFile { return try PassphraseFile.firstLine(of: passphraseFile) }
        return try PassphrasePrompt().ask("Passphrase: ")
    }

    /// How often two that differ are asked for again.
    private static let attempts = 3

    /// A new passphrase; on the terminal it is asked for twice, and again where the two differ.
    ///
    /// - Parameter advice: what a person should know before, on the terminal.
    func new(_ output: Output, advice: String? = nil) throws(Failure) -> SecretBytes {
        if let passphraseFile { return try PassphraseFile.firstLine(of: passphraseFile) }
        let prompt = try PassphrasePrompt()
        if let advice { output.note(Wrapped.text(advice)) }
        for attempt in 1...Self.attempts {
            let first = try prompt.ask("New passphrase: ")
            let second = try prompt.ask("The same once more: ")
            if first.matches(second) { return first }
            if attempt < Self.attempts { output.note("these two are not the same; try again") }
        }
        throw .badPassphrase("the two are not the same")
    }
}
