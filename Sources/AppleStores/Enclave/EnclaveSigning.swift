package import SecureStorage

/// ECDSA on P-256 with private keys that stay in the Secure Enclave: the port of ``EnclaveKeys``.
///
/// The calls block, and may take as long as the user needs to answer a prompt.
package protocol EnclaveSigning: Sendable {
    /// Returns the reason why keys cannot be made or used now; nil if they can.
    func unavailability() -> BackendFault?

    /// Makes a key.
    func generate(_ access: EnclaveAccess) throws(SecureStorageError) -> EnclaveKey

    /// Returns the public key of the key in `blob`. It shows no prompt.
    func publicKey(ofKeyIn blob: [UInt8]) throws(SecureStorageError) -> [UInt8]

    /// Signs with ECDSA over the SHA-256 digest of a message.
    ///
    /// - Parameter reason: the text on the system's prompt. Without one the system may not ask, and a key that needs
    ///   the user throws `BackendFault.interactionNotAllowed`.
    /// - Returns: `r` and `s`, 64 bytes.
    func sign(_ message: [UInt8], withKeyIn blob: [UInt8], asking reason: String?) throws(SecureStorageError) -> [UInt8]
}
