/// The user's part in each use of an item or a key, as Apple's access control has it.
public enum AccessControlPolicy: Equatable, Sendable {
    /// The program reads without the user.
    case none
    /// A face, a finger, or the passcode in place of them.
    case userPresence
    /// A face or a finger, also one that is enrolled later.
    case biometryAny
    /// A face or a finger of those that are enrolled now. A change of them makes the item unreadable.
    case biometryCurrentSet
    /// The device's passcode.
    case devicePasscode
    /// A combination of the system's flags.
    case custom(AccessControlFlags)
}

/// Flags of Apple's `SecAccessControlCreateFlags`, with the same values.
public struct AccessControlFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates flags of the bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A face, a finger, or the passcode.
    public static let userPresence = AccessControlFlags(rawValue: 1 << 0)
    /// A face or a finger.
    public static let biometryAny = AccessControlFlags(rawValue: 1 << 1)
    /// A face or a finger of those that are enrolled now.
    public static let biometryCurrentSet = AccessControlFlags(rawValue: 1 << 3)
    /// The device's passcode.
    public static let devicePasscode = AccessControlFlags(rawValue: 1 << 4)
    /// One of the conditions is enough.
    public static let or = AccessControlFlags(rawValue: 1 << 14)
    /// All conditions are needed.
    public static let and = AccessControlFlags(rawValue: 1 << 15)
    /// The private key signs and decrypts.
    public static let privateKeyUsage = AccessControlFlags(rawValue: 1 << 30)
    /// A password of the app's own.
    public static let applicationPassword = AccessControlFlags(rawValue: 1 << 31)
}
