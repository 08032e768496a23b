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

    /// Returns the passphrase or PIN of a store that exists.
    func existing(_ question: String) throws(Failure) -> SecretBytes {
        if let newPassphraseFile { return try PassphraseFile.firstLine(of: newPassphraseFile) }
        return try PassphrasePrompt(insteadUse: "--new-passphrase-file FILE").ask(question)
    }

    /// Returns a new passphrase or PIN. On the terminal the user types it twice, and again if the two differ.
    func new(_ question: String, _ output: Output) throws(Failure) -> SecretBytes {
        if let newPassphraseFile { return try PassphraseFile.new(in: newPassphraseFile) }
        return try PassphrasePrompt(insteadUse: "--new-passphrase-file FILE").askNew(question) { output.note($0) }
    }

    /// Returns the recovery passphrase of a store that exists.
    func recovery() throws(Failure) -> SecretBytes {
        if let recoveryFile { return try PassphraseFile.firstLine(of: recoveryFile) }
        return try PassphrasePrompt(insteadUse: "--recovery-file FILE").ask("Recovery passphrase of the store: ")
    }

    /// Returns a new recovery passphrase.
    func newRecovery(_ output: Output) throws(Failure) -> SecretBytes {
        if let recoveryFile { return try PassphraseFile.new(in: recoveryFile) }
        output.note(
            Wrapped.text(
                "Choose a recovery passphrase of several words: it opens the store without the TPM, if that is cleared or "
                    + "breaks. No chip counts guesses of it. Write it down."))
        return try PassphrasePrompt(insteadUse: "--recovery-file FILE").askNew("New recovery passphrase: ") {
            output.note($0)
        }
    }
}

extension StoreBackend {
    /// The question for the passphrase or PIN of a store in this place.
    var question: String {
        needsChip ? "PIN of the store: " : "Passphrase of the vault file: "
    }
}
