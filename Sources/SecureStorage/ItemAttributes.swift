internal import Encoding

/// When an item can be read, and whether it may leave the device: the five levels that Apple's keychain knows.
///
/// A store honours a level or refuses it; it never gives a weaker one instead.
public enum Accessibility: UInt8, CaseIterable, Sendable {
    /// Only while the device is unlocked; only on a device that has a passcode, and gone when the passcode is.
    case whenPasscodeSetThisDeviceOnly = 1
    /// Only while the device is unlocked; never on another device.
    case whenUnlockedThisDeviceOnly = 2
    /// Only while the device is unlocked; may move to a new device with a backup.
    case whenUnlocked = 3
    /// From the first unlock on; the store never moves it to another device.
    case afterFirstUnlockThisDeviceOnly = 4
    /// From the first unlock on; may move to a new device with a backup.
    case afterFirstUnlock = 5

    /// Whether the store must keep the item from moving to another device.
    public var isBoundToDevice: Bool {
        switch self {
        case .whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly: true
        case .whenUnlocked, .afterFirstUnlock: false
        }
    }
}

/// How much harm comes of losing or showing some data, and with that, where the data may be kept.
public enum DataClass: UInt8, CaseIterable, Sendable {
    /// Whoever has it can move funds: seeds, key shares. Only in a `SecretStore`, and bound to the device.
    case critical = 1
    /// Whoever has it can act in someone's name for a while: tokens, exchange keys. Only in a `SecretStore`.
    case sensitive = 2
    /// Tells about a person, and moves nothing: addresses, labels. In a file that only its owner can read, or in a store.
    case `internal` = 3
    /// Known to anyone already. In any file.
    case `public` = 4

    /// Whether data of this class may be kept under that accessibility.
    public func allows(_ accessibility: Accessibility) -> Bool {
        self != .critical || accessibility.isBoundToDevice
    }
}

/// What an item is, for the check that what is loaded is what was meant.
public enum ItemKind: UInt8, CaseIterable, Sendable {
    /// Anything; the caller knows.
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

/// What a store knows about an item besides its bytes. Sealed with the item, and authenticated. Items are never synchronised.
public struct ItemAttributes: Equatable, Sendable {
    /// What the item is.
    public let kind: ItemKind
    /// How much harm its loss or disclosure does.
    public let dataClass: DataClass
    /// When the item can be read.
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

    /// The strictest that every store honours: critical, readable after the first unlock, never on another device.
    public static func critical(_ kind: ItemKind) -> ItemAttributes {
        ItemAttributes(
            uncheckedKind: kind, dataClass: .critical, accessibility: .afterFirstUnlockThisDeviceOnly)
    }

    /// For tokens and credentials: sensitive, readable after the first unlock, never on another device.
    public static func sensitive(_ kind: ItemKind) -> ItemAttributes {
        ItemAttributes(
            uncheckedKind: kind, dataClass: .sensitive, accessibility: .afterFirstUnlockThisDeviceOnly)
    }
}

extension ItemAttributes {
    /// The size of the encoding in bytes.
    static let encodedSize = 4
    private static let envelopeVersion: UInt8 = 1

    /// The envelope: its version, kind, class and accessibility, one byte each.
    var encoded: [UInt8] { [Self.envelopeVersion, kind.rawValue, dataClass.rawValue, accessibility.rawValue] }

    /// Reads an envelope. - Throws: ``EncodingError/unsupported`` for a version or a value that is not known.
    init(from reader: inout ByteReader) throws(EncodingError) {
        guard try reader.uint8() == Self.envelopeVersion,
            let kind = ItemKind(rawValue: try reader.uint8()),
            let dataClass = DataClass(rawValue: try reader.uint8()),
            let accessibility = Accessibility(rawValue: try reader.uint8()),
            dataClass.allows(accessibility)
        else { throw .unsupported }
        self.init(uncheckedKind: kind, dataClass: dataClass, accessibility: accessibility)
    }
}
