public import Secrets

/// A chip that seals a small secret so that only the same chip opens it again: the port with which a ``VaultFile`` binds
/// itself to a device.
///
/// Every call ends within a time limit of the conformer's. The calls block: a vault makes them while it is opened, next to
/// the derivation of its key.
public protocol DeviceSealer: Sendable {
    /// The kind of the chip. A vault names it, and is only opened with a sealer of this kind.
    var backend: StoreBackend { get }

    /// Seals a secret.
    ///
    /// - Parameters:
    ///   - secret: 32 bytes.
    ///   - authorization: 32 bytes, derived from the passphrase or PIN. The chip counts wrong ones, if it can.
    /// - Returns: at most 4,096 bytes, which are not secret, and useless without the chip.
    /// - Throws: ``SecureStorageError/backend(_:_:)``.
    func seal(
        _ secret: borrowing SecretBytes, authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> [UInt8]

    /// Opens a sealed secret.
    ///
    /// - Throws: ``BackendFault/authenticationFailed(attemptsLeft:)``, ``BackendFault/lockedOut(seconds:)``,
    ///   ``BackendFault/bindingChanged(_:)`` and others, as ``SecureStorageError/backend(_:_:)``.
    func open(
        _ sealed: [UInt8], authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> SecretBytes
}
