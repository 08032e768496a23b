internal import ArgumentParser
internal import Secrets
internal import Terminal
internal import Texts

/// The file of the passphrase, which is never an argument: every program on the machine can read the arguments.
struct PassphraseOptions: SecretFileOptions {
    @Option(file: "Take its first line as the passphrase; '-' is stdin.")
    var passphraseFile: String?

    var secretFiles: [SecretFiles.Named] { [SecretFiles.Named(path: passphraseFile)] }

    /// Returns the passphrase of an existing wallet or file.
    func existing(_ question: String = "Passphrase: ") throws(Failure) -> SecretBytes {
        try input.existing(question)
    }

    /// Returns a new passphrase. On the terminal the user types it twice.
    ///
    /// - Parameter advice: a text that is shown on the terminal before the question.
    func new(_ output: Output, advice: String? = nil) throws(Failure) -> SecretBytes {
        try input.new("New passphrase: ", advice: advice, output)
    }

    var input: SecretInput { SecretInput(passphraseFile, "--passphrase-file") }
}
