package import Secrets
package import SecureStorage

/// Key agreement on P-256 with private keys that stay in the Secure Enclave: the port of ``EnclaveSealer``.
///
/// The calls block, and may take as long as the user needs to answer a prompt.
package protocol EnclaveKeyAgreement: Sendable {
    /// Returns the reason why keys cannot be made or used now; nil if they can.
    func unavailability() -> BackendFault?

    /// Makes a key.
    func generate() throws(SecureStorageError) -> EnclaveKey

    /// Returns the shared secret of the key in `blob` and a public key: the 32 bytes of the x coordinate.
    ///
    /// - Parameter publicKey: 65 bytes. The chip refuses points that are not on the curve.
    func sharedSecret(ofKeyIn blob: [UInt8], with publicKey: [UInt8]) throws(SecureStorageError) -> SecretBytes
}
