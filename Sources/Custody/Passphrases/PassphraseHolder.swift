package import Secrets
package import SecureStorage

/// The passphrases of a change that open a file.
package enum PassphraseOpener: Equatable, Sendable, CaseIterable {
    /// The present one.
    case old
    /// The new one.
    case new
    /// Each of the two.
    case both
}

/// The wallet's book, as a change of the passphrase needs it. The book is open, so that nothing signs meanwhile.
package protocol PassphraseHolder: Sendable {
    /// The path of its file.
    var path: String { get }
    /// The passphrases that open it before the change.
    var opener: PassphraseOpener { get }
    /// The number of its passphrases before the change.
    var slotCount: Int { get }

    /// Logs the change durably, before the first write.
    ///
    /// - Throws: the reason why it cannot be logged. Nothing is changed then.
    func admit() async throws(CustodyError)

    /// Adds the new passphrase beside the others.
    func add(_ passphrase: borrowing SecretBytes) async throws(SecureStorageError)

    /// Checks that the new passphrase opens the file on the disk.
    func readBack(_ passphrase: borrowing SecretBytes) async throws(SecureStorageError)

    /// Seals the file again with the new passphrase alone.
    func rekey(to passphrase: borrowing SecretBytes) async throws(SecureStorageError)
}
