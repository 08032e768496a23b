public import Secrets

/// A place in which an app keeps its credentials, before it is opened: a vault file, with a chip or without one, or a
/// store that belongs to the user's session.
public protocol StorePlace: Sendable {
    /// The kind of the place. A vault file that needs a TPM is `.tpm`.
    var backend: StoreBackend { get }

    /// Whether opening takes a passphrase or a PIN. Other places do not look at it.
    var needsPassphrase: Bool { get }

    /// Returns whether the store was made. Opens nothing.
    func presence() async throws(SecureStorageError) -> StorePresence

    /// Makes the store, and opens it for writing.
    ///
    /// - Throws: ``SecureStorageError/alreadyExists``, and the errors of the place.
    func create(
        passphrase: borrowing SecretBytes, random: any RandomSource
    ) async throws(SecureStorageError) -> any SecretStore

    /// Opens the store for writing. No other process can write until it is closed.
    ///
    /// - Throws: ``SecureStorageError/notFound``, and the errors of the place.
    func open(
        passphrase: borrowing SecretBytes, random: any RandomSource
    ) async throws(SecureStorageError) -> any SecretStore

    /// Opens the store for reading. It takes no lock.
    func openReadOnly(passphrase: borrowing SecretBytes) async throws(SecureStorageError) -> any SecretStore

    /// Checks, without a passphrase, that the store is there and that its chip or service answers for it.
    ///
    /// - Throws: ``SecureStorageError/notFound``, and the errors of the place.
    func requireIntact() async throws(SecureStorageError)

    /// Deletes the store and all that belongs to it. A place without a store is left as it is, so that an interrupted
    /// deletion can be repeated.
    func destroy() async throws(SecureStorageError)
}

/// Whether a store exists in its place.
public enum StorePresence: Equatable, Sendable {
    /// It was never made there.
    case absent
    /// It exists.
    case present
    /// This machine has seen it, and it is gone. A new one in its place would hide that.
    case missing
}
