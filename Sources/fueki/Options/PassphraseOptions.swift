internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts

/// The file of the passphrase, which is never an argument: every program on the machine can read the arguments.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take the first line of this file as the passphrase ('-' is standard input), instead of asking.",
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    /// Returns the passphrase of an existing wallet or file.
    func existing(_ question: String = "Passphrase: ") throws(Failure) -> SecretBytes {
        if let passphraseFile { return try PassphraseFile.firstLine(of: passphraseFile) }
        return try PassphrasePrompt().ask(question)
    }

    /// The number of attempts to type the same passphrase twice.
    private static let attempts = 3

    /// Returns a new passphrase. On the terminal the user types it twice, and again if the two differ.
    ///
    /// - Parameter advice: a text that is shown on the terminal before the question.
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
