#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security)
    internal import CryptoKit
    internal import Foundation
    internal import SecureStorage
    internal import Security

    /// The common part of the Enclave's two kinds of keys: availability, access control, errors.
    enum SecureEnclaveChip {
        /// The simulator has no Enclave, nor have Macs without a T2 or Apple's own processor.
        static func unavailability() -> BackendFault? {
            SecureEnclave.isAvailable ? nil : .unavailable(.noDevice)
        }

        /// Makes the condition of a key's use.
        static func accessControl(_ access: EnclaveAccess) throws(SecureStorageError) -> SecAccessControl {
            let protection =
                switch access.accessibility {
                case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
                case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
                case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
                // `EnclaveAccess` refuses them.
                case .whenUnlocked, .afterFirstUnlock: throw .notHonoured(access.accessibility)
                }
            var error: Unmanaged<CFError>?
            let flags = SecAccessControlCreateFlags(rawValue: CFOptionFlags(access.flags.rawValue))
            if let control = SecAccessControlCreateWithFlags(nil, protection, flags, &error) { return control }
            guard let reason = error?.takeRetainedValue() else { throw .backend(.secureEnclave, .malformedAnswer) }
            throw storageError(reason)
        }

        /// Returns an error of Apple's frameworks as a store's error. Its text is dropped: it may name items.
        static func storageError(_ error: any Error) -> SecureStorageError {
            // Every error has a domain and a code under these names on all systems; `as NSError` is not on all.
            .backend(.secureEnclave, EnclaveErrors.fault(domain: error._domain, code: error._code))
        }
    }
#endif
