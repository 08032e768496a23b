#if canImport(LocalAuthentication) && canImport(Security)
    internal import Foundation
    internal import LocalAuthentication
    public import Secrets
    internal import SecureStorage
    internal import Security

    /// The keychain of this device, through `SecItemAdd`, `SecItemCopyMatching` and `SecItemDelete`.
    ///
    /// Each call names the data-protection keychain, also on macOS, and items that are not synchronised.
    ///
    /// - Warning: The system's own copies of a value are not wiped: those of its functions in this process, and those
    ///   of the keychain's process.
    public struct SystemKeychain: KeychainItems {
        /// Creates the port.
        public init() {}

        public func add(_ item: KeychainAddition, value: borrowing SecretBytes) throws(KeychainStatus) {
            var attributes = Self.query(service: item.service, accessGroup: item.accessGroup)
            attributes[kSecAttrAccount as String] = item.account
            attributes[kSecAttrGeneric as String] = Data(item.header)
            switch item.protection {
            case .accessible(let accessibility):
                attributes[kSecAttrAccessible as String] = accessibility.attribute
            case .accessControl(let accessibility, let policy):
                attributes[kSecAttrAccessControl as String] = try Self.accessControl(accessibility, policy)
            }
            let status = value.withUnsafeBytes { bytes -> OSStatus in
                guard let base = bytes.baseAddress else { return KeychainStatus.param.rawValue }
                // The data point into the guarded memory: no copy of ours has to be wiped.
                var attributes = attributes
                attributes[kSecValueData as String] = Data(
                    bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count, deallocator: .none)
                return SecItemAdd(attributes as CFDictionary, nil)
            }
            try Self.check(status)
        }

        public func list(_ query: KeychainQuery) throws(KeychainStatus) -> [KeychainFinding] {
            var attributes = Self.query(service: query.service, accessGroup: query.accessGroup)
            attributes[kSecMatchLimit as String] = kSecMatchLimitAll
            attributes[kSecReturnAttributes as String] = true
            guard let found = try Self.copy(attributes, prompt: .refused) as? [[String: Any]] else {
                throw .malformedAnswer
            }
            return try found.map { (item) throws(KeychainStatus) in
                guard let service = item[kSecAttrService as String] as? String,
                    let account = item[kSecAttrAccount as String] as? String,
                    let group = item[kSecAttrAccessGroup as String] as? String
                else { throw .malformedAnswer }
                return KeychainFinding(
                    key: KeychainKey(service: service, account: account, accessGroup: group),
                    header: (item[kSecAttrGeneric as String] as? Data).map { [UInt8]($0) },
                    accessibility: (item[kSecAttrAccessible as String] as? String).flatMap(
                        Accessibility.init(attribute:)))
            }
        }

        public func value(of key: KeychainKey, prompt: KeychainPrompt) throws(KeychainStatus) -> SecretBytes {
            var attributes = Self.query(of: key)
            attributes[kSecMatchLimit as String] = kSecMatchLimitOne
            attributes[kSecReturnData as String] = true
            // Not as `Data`, whose conversion may copy the bytes.
            guard let data = try Self.copy(attributes, prompt: prompt) as? NSData else { throw .malformedAnswer }
            let bytes = UnsafeMutableRawBufferPointer(
                start: UnsafeMutableRawPointer(mutating: data.bytes), count: data.length)
            // The system made these bytes for this call.
            defer { withExtendedLifetime(data) { wipe(bytes) } }
            guard bytes.count <= AppleLimits.keychainValue else { throw .dataTooLarge }
            return SecretBytes(count: bytes.count) { $0.copyMemory(from: UnsafeRawBufferPointer(bytes)) }
        }

        public func delete(_ key: KeychainKey) throws(KeychainStatus) {
            try Self.check(SecItemDelete(Self.query(of: key) as CFDictionary))
        }

        /// Returns the attributes of every call.
        private static func query(service: String?, accessGroup: String?) -> [String: Any] {
            var attributes: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrSynchronizable as String: false,
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let service { attributes[kSecAttrService as String] = service }
            if let accessGroup { attributes[kSecAttrAccessGroup as String] = accessGroup }
            return attributes
        }

        private static func query(of key: KeychainKey) -> [String: Any] {
            var attributes = query(service: key.service, accessGroup: key.accessGroup)
            attributes[kSecAttrAccount as String] = key.account
            return attributes
        }

        private static func copy(
            _ attributes: [String: Any], prompt: KeychainPrompt
        ) throws(KeychainStatus) -> CFTypeRef? {
            // A context of its own for each call: nothing that the user allowed before counts for this one.
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 0
            defer { context.invalidate() }
            switch prompt {
            // The system fails where it needs the user. `kSecUseAuthenticationUISkip` would leave the item out.
            case .refused: context.interactionNotAllowed = true
            case .allowed(let reason): context.localizedReason = reason
            }
            var attributes = attributes
            attributes[kSecUseAuthenticationContext as String] = context
            var result: CFTypeRef?
            try check(SecItemCopyMatching(attributes as CFDictionary, &result))
            return result
        }

        private static func accessControl(
            _ accessibility: Accessibility, _ policy: AccessControlPolicy
        ) throws(KeychainStatus) -> SecAccessControl {
            var error: Unmanaged<CFError>?
            let flags = SecAccessControlCreateFlags(rawValue: CFOptionFlags(policy.conditions.rawValue))
            if let control = SecAccessControlCreateWithFlags(nil, accessibility.attribute, flags, &error) {
                return control
            }
            guard let reason = error?.takeRetainedValue() else { throw .malformedAnswer }
            throw KeychainStatus(rawValue: Int32(truncatingIfNeeded: reason._code))
        }

        private static func check(_ status: OSStatus) throws(KeychainStatus) {
            guard status == errSecSuccess else { throw KeychainStatus(rawValue: status) }
        }
    }

    extension Accessibility {
        /// Apple's value of `kSecAttrAccessible`.
        fileprivate var attribute: CFString {
            switch self {
            case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
            case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
            case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
            }
        }

        fileprivate init?(attribute: String) {
            guard let level = Self.allCases.first(where: { $0.attribute as String == attribute }) else { return nil }
            self = level
        }
    }
#endif
