#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security)
    internal import CryptoKit
    internal import Foundation
    public import Secrets
    public import SecureStorage

    extension EnclaveSealer {
        /// Creates a sealer in this device's Secure Enclave.
        ///
        /// - Parameters:
        ///   - policy: the user's part in each opening. Sealing shows no prompt.
        ///   - accessibility: the state of the device in which a sealed secret opens; one of those that are bound to
        ///     it.
        ///   - context: the context in which the user was checked already, or nil: the system asks at each opening.
        ///   - random: makes the second key of each secret.
        /// - Throws: `SecureStorageError.notHonoured(_:)` for a level that lets the key leave the device.
        public init(
            policy: AccessControlPolicy, accessibility: Accessibility, context: CheckedContext?,
            random: any RandomSource
        ) throws(SecureStorageError) {
            let access = try EnclaveAccess(policy, accessibility)
            self.init(
                over: SecureEnclaveKeyAgreement(access: access, context: context), random: random,
                limit: policy == .none || context != nil ? Limits.backendCall : Limits.prompt)
        }
    }

    /// Key agreement in the Secure Enclave.
    private struct SecureEnclaveKeyAgreement: EnclaveKeyAgreement {
        let access: EnclaveAccess
        let context: CheckedContext?

        func unavailability() -> BackendFault? { SecureEnclaveChip.unavailability() }

        func generate() throws(SecureStorageError) -> EnclaveKey {
            let control = try SecureEnclaveChip.accessControl(access)
            let key: SecureEnclave.P256.KeyAgreement.PrivateKey
            do { key = try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: control) } catch {
                throw SecureEnclaveChip.storageError(error)
            }
            return try EnclaveKey(
                blob: [UInt8](key.dataRepresentation), publicKey: [UInt8](key.publicKey.x963Representation))
        }

        func sharedSecret(
            ofKeyIn blob: [UInt8], with publicKey: [UInt8]
        ) throws(SecureStorageError) -> SecretBytes {
            // A key that is not on the curve was not written by this program.
            guard let other = try? P256.KeyAgreement.PublicKey(x963Representation: publicKey) else { throw .damaged }
            let shared: SharedSecret
            do {
                let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                    dataRepresentation: Data(blob), authenticationContext: context?.context)
                shared = try key.sharedSecretFromKeyAgreement(with: other)
            } catch { throw SecureEnclaveChip.storageError(error) }
            return SecretBytes(count: 32) { memory in shared.withUnsafeBytes { memory.copyMemory(from: $0) } }
        }
    }
#endif
