/// The full name of an item: the service it belongs to, and the account within the service.
///
/// Names are for programs. They are printable ASCII without spaces, so that two names that look alike are equal, and
/// equal names have equal bytes. Text that a user chose goes into a name in an encoded form.
public struct ItemName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The namespace, such as `wallet` or `exchange`: two services never see each other's items.
    public let service: String
    /// The item within the service.
    public let account: String

    /// Creates a name of a service and an account.
    ///
    /// - Parameters:
    ///   - service: 1...255 printable ASCII characters.
    ///   - account: 1...255 printable ASCII characters.
    /// - Throws: ``SecureStorageError/outsideLimits(_:)``.
    public init(service: String, account: String) throws(SecureStorageError) {
        for part in [service, account] {
            guard (1...Limits.namePart).contains(part.utf8.count), part.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
            else { throw .outsideLimits(.name) }
        }
        self.service = service
        self.account = account
    }

    /// Reads `SERVICE/ACCOUNT`, of a service without a slash.
    ///
    /// - Throws: ``SecureStorageError/outsideLimits(_:)``.
    public init(_ text: String) throws(SecureStorageError) {
        guard let slash = text.firstIndex(of: "/") else { throw .outsideLimits(.name) }
        try self.init(service: String(text[..<slash]), account: String(text[text.index(after: slash)...]))
    }

    /// The name for a person: `SERVICE/ACCOUNT`.
    public var description: String { "\(service)/\(account)" }

    /// Orders by service, then by account, in the order of their bytes.
    public static func < (left: ItemName, right: ItemName) -> Bool {
        left.service == right.service
            ? left.account.utf8.lexicographicallyPrecedes(right.account.utf8)
            : left.service.utf8.lexicographicallyPrecedes(right.service.utf8)
    }

    /// The encoding: each part after its length in one byte, so that no two names have the same bytes.
    package var encoded: [UInt8] {
        [UInt8(service.utf8.count)] + service.utf8 + [UInt8(account.utf8.count)] + account.utf8
    }
}
