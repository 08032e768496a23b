package import Encoding

/// When an item can be read, and whether it may leave the device: the five levels of Apple's keychain.
///
/// A store honours a level or refuses it; it never applies a weaker one.
public enum Accessibility: UInt8, CaseIterable, Sendable {
    /// Readable while the device is unlocked; only on a device with a passcode, and removed with the passcode.
    case whenPasscodeSetThisDeviceOnly = 1
    /// Readable while the device is unlocked; never on another device.
    case whenUnlockedThisDeviceOnly = 2
    /// Readable while the device is unlocked; may move to a new device with a backup.
    case whenUnlocked = 3
    /// Readable after the first unlock; never on another device.
    case afterFirstUnlockThisDeviceOnly = 4
    /// Readable after the first unlock; may move to a new device with a backup.
    case afterFirstUnlock = 5

    /// Whether the store must keep the item from moving to another device.
    public var isBoundToDevice: Bool {
        switch self {
        case .whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly: true
        case .whenUnlocked, .afterFirstUnlock: false
        }
    }
}

/// The kind of an item, to check that the loaded item is the expected one.
public enum ItemKind: UInt8, CaseIterable, Sendable {
    /// Any kind; the caller knows.
    case other = 0
    /// The words of a mnemonic.
    case mnemonic = 1
    /// A seed of 16 to 64 bytes.
    case seed = 2
    /// A token that lets its bearer act.
    case accessToken = 3
    /// Several tokens: see ``TokenList``.
    case accessTokenList = 4
    /// A share of a threshold key.
    case keyShare = 5
    /// A credential for another system.
    case credential = 6
}

/// A store's data about an item besides its bytes. Sealed with the item, and authenticated. Items are never
/// synchronised.
public struct ItemAttributes: Equatable, Sendable {
    /// The kind of the item.
    public let kind: ItemKind
    /// The class of the item, by the harm of its loss or disclosure.
    public let dataClass: DataClass
    /// The conditions under which the item can be read.
    public let accessibility: Accessibility

    /// Creates the attributes of an item.
    ///
    /// - Throws: ``SecureStorageError/notHonoured(_:)`` if data of that class must not be kept in that way.
    public init(
        kind: ItemKind, dataClass: DataClass, accessibility: Accessibility
    ) throws(SecureStorageError) {
        guard dataClass.allows(accessibility) else { throw .notHonoured(accessibility) }
        self.init(uncheckedKind: kind, dataClass: dataClass, accessibility: accessibility)
    }

    private init(uncheckedKind kind: ItemKind, dataClass: DataClass, accessibility: Accessibility) {
        self.kind = kind
        self.dataClass = dataClass
        self.accessibility = accessibility
    }

    /// Returns the strictest attributes that every store honours: critical, readable after the first unlock, never on
    /// another device.
    public static func critical(_ kind: ItemKind) -> ItemAttributes {
        ItemAttributes(
            uncheckedKind: kind, dataClass: .critical, accessibility: .afterFirstUnlockThisDeviceOnly)
    }

    /// Returns attributes for tokens and credentials: sensitive, readable after the first unlock, never on another
    /// device.
    public static func sensitive(_ kind: ItemKind) -> ItemAttributes {
        ItemAttributes(
            uncheckedKind: kind, dataClass: .sensitive, accessibility: .afterFirstUnlockThisDeviceOnly)
    }
}

extension ItemAttributes {
    /// The size of the encoding in bytes.
    package static let encodedSize = 4
    private static let envelopeVersion: UInt8 = 1

    /// The encoding: its version, kind, class and accessibility, one byte each.
    package var encoded: [UInt8] { [Self.envelopeVersion, kind.rawValue, dataClass.rawValue, accessibility.rawValue] }

    /// Reads the encoding. - Throws: ``EncodingError/unsupported`` for an unknown version or value.
    package init(from reader: inout ByteReader) throws(EncodingError) {
        guard try reader.uint8() == Self.envelopeVersion,
            let kind = ItemKind(rawValue: try reader.uint8()),
            let dataClass = DataClass(rawValue: try reader.uint8()),
            let accessibility = Accessibility(rawValue: try reader.uint8()),
            dataClass.allows(accessibility)
        else { throw .unsupported }
        self.init(uncheckedKind: kind, dataClass: dataClass, accessibility: accessibility)
    }
}
