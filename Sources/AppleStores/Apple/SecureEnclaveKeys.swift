#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security)
    internal import CryptoKit
    internal import Foundation
    internal import LocalAuthentication
    public import SecureStorage

    extension EnclaveKeys {
        /// Creates the keys of this device's Secure Enclave.
        ///
        /// - Parameters:
        ///   - path: the folder of the keys' files. It is made with the first key.
        ///   - accessibility: the state of the device in which new keys can be used; one of those that are bound to it.
        public init(in path: String, accessibility: Accessibility) {
            self.init(over: SecureEnclaveSigning(), in: path, accessibility: accessibility)
        }
    }

    /// ECDSA in the Secure Enclave.
    private struct SecureEnclaveSigning: EnclaveSigning {
        func unavailability() -> BackendFault? { SecureEnclaveChip.unavailability() }

        func generate(_ access: EnclaveAccess) throws(SecureStorageError) -> EnclaveKey {
            let control = try SecureEnclaveChip.accessControl(access)
            let key: SecureEnclave.P256.Signing.PrivateKey
            do { key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control) } catch {
                throw SecureEnclaveChip.storageError(error)
            }
            return try EnclaveKey(
                blob: [UInt8](key.dataRepresentation), publicKey: [UInt8](key.publicKey.x963Representation))
        }

        func publicKey(ofKeyIn blob: [UInt8]) throws(SecureStorageError) -> [UInt8] {
            do {
                let key = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(blob))
                return [UInt8](key.publicKey.x963Representation)
            } catch { throw SecureEnclaveChip.storageError(error) }
        }

        func sign(
            _ message: [UInt8], withKeyIn blob: [UInt8], asking reason: String?
        ) throws(SecureStorageError) -> [UInt8] {
            // A context of its own for each signature: nothing that the user allowed before counts for this one.
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 0
            if let reason { context.localizedReason = reason } else { context.interactionNotAllowed = true }
            defer { context.invalidate() }
            do {
                let key = try SecureEnclave.P256.Signing.PrivateKey(
                    dataRepresentation: Data(blob), authenticationContext: context)
                return [UInt8](try key.signature(for: message).rawRepresentation)
            } catch { throw SecureEnclaveChip.storageError(error) }
        }
    }
#endif
