package import Secrets
package import Texts

/// A secret of a command: the user types it, or a file holds it. It is never an argument: every program on the machine
/// can read the arguments.
package struct SecretInput {
    private let file: String?
    private let option: String

    /// - Parameters:
    ///   - file: the path of the file; nil to ask the user.
    ///   - option: the option that names the file: `--passphrase-file`.
    package init(_ file: String?, _ option: String) { (self.file, self.option) = (file, option) }

    /// Returns an existing passphrase or PIN: the first line of the file, or the answer to the question.
    ///
    /// - Parameter isOptional: whether it may be empty.
    package func existing(_ question: String, isOptional: Bool = false) throws(Failure) -> SecretBytes {
        if let file { return try PassphraseFile.firstLine(of: file, isOptional: isOptional) }
        return try prompt().ask(question, isOptional: isOptional)
    }

    /// Whether a file holds the secret, so that the command may run without a user.
    package var isFile: Bool { file != nil }

    /// Returns a new passphrase or PIN. On the terminal the user types it twice, and again if the two differ.
    ///
    /// - Parameters:
    ///   - advice: a text that is shown before the question.
    ///   - proposal: makes a passphrase, which is shown on the terminal after an empty answer; the user types it once. Nil
    ///     if none is proposed.
    package func new(
        _ question: String, advice: String? = nil, proposal: (() -> SecretBytes)? = nil, _ output: Output
    ) throws(Failure) -> SecretBytes {
        if let file { return try PassphraseFile.new(in: file) }
        let prompt = try prompt()
        if let advice { output.note(Wrapped.text(advice)) }
        return try prompt.askNew(question, proposal: proposal) { output.note($0) }
    }

    /// Returns a secret text: the whole file, or the answer to the question.
    ///
    /// - Parameter longest: the number of bytes of the longest text. One byte more is read of a longer one, so that the caller
    ///   can refuse it.
    package func text(_ question: String, longest: Int) throws(Failure) -> SecretBytes {
        if let file { return try PassphraseFile.beginning(of: file, size: longest + 1) }
        return try prompt().ask(question, most: longest + 1)
    }

    private func prompt() throws(Failure) -> PassphrasePrompt { try PassphrasePrompt(insteadUse: "\(option) FILE") }
}
