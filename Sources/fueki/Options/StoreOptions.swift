internal import ArgumentParser
internal import SecureStorage
internal import Terminal

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
struct NewStoreSecrets: SecretFileOptions {
    @Option(
        file:
            "The file whose first line is the passphrase or PIN of the new store, instead of asking; with --confirm or "
            + "--undo, of the store that the credentials are in now.")
    var newPassphraseFile: String?

    @Option(file: "The file whose first line is the recovery passphrase of a store with a TPM, instead of asking.")
    var recoveryFile: String?

    var secretFiles: [SecretFiles.Named] { [newPassphraseFile, recoveryFile].map { SecretFiles.Named(path: $0) } }

    /// The passphrase or PIN of the new store.
    var passphrase: SecretInput { SecretInput(newPassphraseFile, "--new-passphrase-file") }

    /// The passphrase that opens a store with a TPM without it.
    var recovery: SecretInput { SecretInput(recoveryFile, "--recovery-file") }
}

extension StoreBackend {
    /// The question for the passphrase or PIN of a store in this place.
    var question: String { needsChip ? "PIN of the store: " : "Passphrase of the vault file: " }

    /// The question for the passphrase or PIN of a new store in this place.
    var newQuestion: String { needsChip ? "New PIN of the store: " : "New passphrase of the vault file: " }
}
