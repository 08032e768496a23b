internal import ArgumentParser
internal import Secrets
internal import SecureStorage
internal import Terminal
internal import Texts

/// A store that credentials can be moved to.
enum MovableStore: String, CaseIterable, ExpressibleByArgument {
    case vault
    #if os(Linux)
        case tpm
        case secretService = "secret-service"
    #else
        case secureEnclave = "secure-enclave"
    #endif

    var backend: StoreBackend { StoreBackend(rawValue: rawValue) ?? .vault }
}

/// The secrets of a store that credentials are moved to, or that is sealed anew.
struct NewStoreSecrets: ParsableArguments, SecretFileOptions {
    @Option(
        help: ArgumentHelp(
            "The file whose first line is the passphrase or PIN of the new store, instead of asking; with --confirm or "
                + "--undo, of the store that the credentials are in now.", valueName: "file"),
        completion: .file())
    var newPassphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "The file whose first line is the recovery passphrase of a store with a TPM, instead of asking.",
            valueName: "file"), completion: .file())
    var recoveryFile: String?

    var secretFiles: [SecretFiles.Named] { [newPassphraseFile, recoveryFile].map { SecretFiles.Named(path: $0) } }

    private static let attempts = 3

    /// Returns the passphrase or PIN of a store that exists.
    func existing(_ question: String) throws(Failure) -> SecretBytes {
        if let newPassphraseFile { return try PassphraseFile.firstLine(of: newPassphraseFile) }
        return try PassphrasePrompt(insteadUse: "--new-passphrase-file FILE").ask(question)
    }

    /// Returns a new passphrase or PIN. On the terminal the user types it twice, and again if the two differ.
    func new(_ question: String, _ output: Output) throws(Failure) -> SecretBytes {
        if let newPassphraseFile { return try PassphraseFile.firstLine(of: newPassphraseFile) }
        return try Self.ask(question, insteadUse: "--new-passphrase-file FILE", output)
    }

    /// Returns the recovery passphrase of a store that exists.
    func recovery() throws(Failure) -> SecretBytes {
        if let recoveryFile { return try PassphraseFile.firstLine(of: recoveryFile) }
        return try PassphrasePrompt(insteadUse: "--recovery-file FILE").ask("Recovery passphrase of the store: ")
    }

    /// Returns a new recovery passphrase.
    func newRecovery(_ output: Output) throws(Failure) -> SecretBytes {
        if let recoveryFile { return try PassphraseFile.firstLine(of: recoveryFile) }
        output.note(
            Wrapped.text(
                "Choose a recovery passphrase of several words: it opens the store without the TPM, if that is cleared or "
                    + "breaks. No chip counts guesses of it. Write it down."))
        return try Self.ask("New recovery passphrase: ", insteadUse: "--recovery-file FILE", output)
    }

    private static func ask(
        _ question: String, insteadUse option: String, _ output: Output
    ) throws(Failure) -> SecretBytes {
        let prompt = try PassphrasePrompt(insteadUse: option)
        for attempt in 1...attempts {
            let first = try prompt.ask(question)
            let second = try prompt.ask("The same once more: ")
            if first.matches(second) { return first }
            if attempt < attempts { output.note("these two are not the same; try again") }
        }
        throw .badPassphrase("the two are not the same")
    }
}

extension StoreBackend {
    /// The question for the passphrase or PIN of a store in this place.
    var question: String {
        needsChip ? "PIN of the store: " : "Passphrase of the vault file: "
    }
}
