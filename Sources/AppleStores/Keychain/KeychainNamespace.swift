public import SecureStorage

/// The part of the keychain that one store uses: the prefix of its services, such as the app's bundle identifier.
///
/// An item's `kSecAttrService` is the namespace, a colon, and the service of its name. A namespace contains no colon,
/// and therefore two namespaces never share an item.
public struct KeychainNamespace: Hashable, Sendable {
    /// The characters.
    let text: String

    /// Checks a namespace.
    ///
    /// - Parameter text: 1...64 characters of `A`-`Z`, `a`-`z`, `0`-`9`, `.` and `-`.
    /// - Throws: `SecureStorageError.outsideLimits(_:)`.
    public init(_ text: String) throws(SecureStorageError) {
        guard (1...AppleLimits.keychainNamespace).contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || byte == 0x2d || byte == 0x2e
            })
        else { throw .outsideLimits(.name) }
        self.text = text
    }

    /// Returns the `kSecAttrService` of a service.
    func service(_ service: String) -> String { "\(text):\(service)" }

    /// Returns the `kSecAttrService` of a canary. It has a space in place of the colon, so that it names no service.
    func service(of canary: KeychainCanary) -> String { "\(text) \(canary.rawValue)" }

    /// Returns the service of a `kSecAttrService`; nil if it belongs to another namespace.
    func service(of attribute: String) -> String? {
        let prefix = "\(text):".utf8
        guard attribute.utf8.starts(with: prefix) else { return nil }
        return String(decoding: attribute.utf8.dropFirst(prefix.count), as: UTF8.self)
    }
}

/// The items that prove what the keychain shows.
enum KeychainCanary: String {
    /// Readable after the first unlock.
    case afterFirstUnlock = "canary"
    /// Listed only if the keychain shows items for the unlocked device.
    case whenUnlocked = "canary while unlocked"

    var accessibility: Accessibility {
        switch self {
        case .afterFirstUnlock: .afterFirstUnlockThisDeviceOnly
        case .whenUnlocked: .whenUnlockedThisDeviceOnly
        }
    }
}
