internal import Custody
internal import Secrets
internal import SecureStorage

/// A change of the passphrase. The file exists: an act is logged before its passphrase changes.
extension BookFile {
    /// The number of passphrases that open the file.
    var slotCount: Int {
        get async throws(SecureStorageError) { try await existing.slots.count }
    }

    /// Adds a passphrase beside the others.
    func addPassphrase(_ passphrase: borrowing SecretBytes) async throws(SecureStorageError) {
        try await existing.addPassphrase(passphrase)
    }

    /// Seals the file again with one passphrase, under a new master key.
    func rekey(to passphrase: borrowing SecretBytes) async throws(SecureStorageError) {
        try await existing.rekey(to: passphrase)
    }

    /// Opens the file on the disk with a passphrase, to see that it does.
    ///
    /// - Throws: `SecureStorageError.wrongPassphrase` if it does not.
    nonisolated func readBack(_ passphrase: borrowing SecretBytes) throws(SecureStorageError) {
        _ = try VaultFile.openReadOnly(at: path, passphrase: passphrase, freshness: .unchecked)
    }

    private var existing: VaultFile {
        get throws(SecureStorageError) {
            guard let opened else { throw .closed }
            return opened
        }
    }
}
