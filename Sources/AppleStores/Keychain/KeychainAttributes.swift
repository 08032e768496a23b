public import SecureStorage

/// The attributes that a listing matches. Its description is redacted.
public struct KeychainQuery: Equatable, Sendable {
    /// The service (`kSecAttrService`); nil matches every service.
    public let service: String?
    /// The access group; nil matches every group of the program.
    public let accessGroup: String?

    /// Creates a query.
    public init(service: String?, accessGroup: String?) {
        self.service = service
        self.accessGroup = accessGroup
    }
}

/// The full key of one item. The access group is part of it, because a call without one would reach the items of every
/// group of the program. Its description is redacted.
public struct KeychainKey: Hashable, Sendable {
    /// The service (`kSecAttrService`).
    public let service: String
    /// The account (`kSecAttrAccount`).
    public let account: String
    /// The access group (`kSecAttrAccessGroup`).
    public let accessGroup: String

    /// Creates a key.
    public init(service: String, account: String, accessGroup: String) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
    }
}

/// The attributes of a new item. Its description is redacted.
public struct KeychainAddition: Equatable, Sendable {
    /// The service (`kSecAttrService`).
    public let service: String
    /// The account (`kSecAttrAccount`).
    public let account: String
    /// The access group; nil is the program's first one.
    public let accessGroup: String?
    /// Bytes that are readable without the user (`kSecAttrGeneric`).
    public let header: [UInt8]
    /// The conditions of reading the value.
    public let protection: KeychainProtection

    /// Creates the attributes.
    public init(
        service: String, account: String, accessGroup: String?, header: [UInt8], protection: KeychainProtection
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.header = header
        self.protection = protection
    }
}

/// The attributes of an item that exists. Its description is redacted.
public struct KeychainFinding: Equatable, Sendable {
    /// The full key.
    public let key: KeychainKey
    /// The bytes of `kSecAttrGeneric`; nil if the item has none.
    public let header: [UInt8]?
    /// The accessibility; nil if the system did not report one that is known.
    public let accessibility: Accessibility?

    /// Creates the attributes.
    public init(key: KeychainKey, header: [UInt8]?, accessibility: Accessibility?) {
        self.key = key
        self.header = header
        self.accessibility = accessibility
    }
}

/// A type that names items. Neither `print`, `dump` nor a log shows the names.
protocol NamesItems: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension NamesItems {
    /// The type, without the names.
    public var description: String { "<\(Self.self), redacted>" }
    /// The type, without the names.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension KeychainQuery: NamesItems {}
extension KeychainKey: NamesItems {}
extension KeychainAddition: NamesItems {}
extension KeychainFinding: NamesItems {}
