internal import ArgumentParser
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts

/// The file of the passphrase, which is never an argument: every program on the machine can read the arguments.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take its first line as the passphrase; '-' is stdin.",
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    /// Returns the passphrase of an existing wallet or file.
    func existing(_ question: String = "Passphrase: ") throws(Failure) -> SecretBytes {
        if let passphraseFile { return try PassphraseFile.firstLine(of: passphraseFile) }
        return try PassphrasePrompt().ask(question)
    }

    /// Returns a new passphrase. On the terminal the user types it twice.
    ///
    /// - Parameter advice: a text that is shown on the terminal before the question.
    func new(_ output: Output, advice: String? = nil) throws(Failure) -> SecretBytes {
        if let passphraseFile { return try PassphraseFile.new(in: passphraseFile) }
        let prompt = try PassphrasePrompt()
        if let advice { output.note(Wrapped.text(advice)) }
        return try prompt.askNew("New passphrase: ") { output.note($0) }
    }
}
