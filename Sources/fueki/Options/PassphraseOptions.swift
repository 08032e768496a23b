internal import ArgumentParser
internal import Secrets

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

    /// A new passphrase; on the terminal it is asked for twice.
    func new() throws(Failure) -> SecretBytes {
        if let passphraseFile { return try PassphraseFile.firstLine(of: passphraseFile) }
        let prompt = try PassphrasePrompt()
        let first = try prompt.ask("New passphrase: ")
        let second = try prompt.ask("The same once more: ")
        guard first.matches(second) else { throw .badPassphrase("the two are not the same") }
        return first
    }
}
