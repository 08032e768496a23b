internal import SecureStorage

/// A result code of the keychain: an `OSStatus` other than success.
///
/// The description is Apple's name of the code and the number. It contains nothing about an item.
public struct KeychainStatus: RawRepresentable, Error, Hashable, Sendable {
    /// The `OSStatus`.
    public let rawValue: Int32

    /// Creates a code.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// An item with the same key exists.
    public static let duplicateItem = KeychainStatus(rawValue: -25299)
    /// No item matches.
    public static let itemNotFound = KeychainStatus(rawValue: -25300)
    /// The device is locked, or the system needs the user and was told not to ask.
    public static let interactionNotAllowed = KeychainStatus(rawValue: -25308)
    /// The user's face, finger or passcode was not accepted.
    public static let authFailed = KeychainStatus(rawValue: -25293)
    /// The user cancelled the prompt.
    public static let userCanceled = KeychainStatus(rawValue: -128)
    /// The program is not signed with the entitlement that the access group needs.
    public static let missingEntitlement = KeychainStatus(rawValue: -34018)
    /// No keychain is available.
    public static let notAvailable = KeychainStatus(rawValue: -25291)
    /// The item cannot be decrypted.
    public static let decode = KeychainStatus(rawValue: -26275)
    /// The disk is full.
    public static let diskFull = KeychainStatus(rawValue: -34)
    /// An argument is not valid.
    public static let param = KeychainStatus(rawValue: -50)
    /// There was no memory left.
    public static let allocate = KeychainStatus(rawValue: -108)
    /// The keychain is read-only.
    public static let readOnly = KeychainStatus(rawValue: -25292)
    /// The value is larger than the keychain accepts.
    public static let dataTooLarge = KeychainStatus(rawValue: -25302)
    /// The system needs the user, and the call cannot ask.
    public static let interactionRequired = KeychainStatus(rawValue: -25315)
    /// The value is not available now.
    public static let dataNotAvailable = KeychainStatus(rawValue: -25316)
    /// The Mac is in dark wake and cannot show a prompt.
    public static let inDarkWake = KeychainStatus(rawValue: -25320)
    /// The system does not have the function.
    public static let unimplemented = KeychainStatus(rawValue: -4)
    /// The keychain's service failed.
    public static let internalComponent = KeychainStatus(rawValue: -2070)
    /// The item's access control does not allow the call.
    public static let noAccessForItem = KeychainStatus(rawValue: -25243)
    /// The system's answer was not one that it declares. It is not an `OSStatus` of Apple's.
    public static let malformedAnswer = KeychainStatus(rawValue: .min)
}

extension KeychainStatus: CustomStringConvertible {
    /// Apple's name of the code and the number, such as `errSecItemNotFound (-25300)`.
    public var description: String { "\(Self.table[self]?.name ?? "OSStatus") (\(rawValue))" }
}

extension KeychainStatus {
    /// The meaning of a code for the caller of a store.
    private struct Meaning {
        /// Apple's name of the code.
        let name: String
        /// The error for an item that the program reads alone.
        let alone: SecureStorageError
        /// The error for an item in whose reading the user takes part.
        let withUser: SecureStorageError

        init(_ name: String, _ alone: SecureStorageError, withUser: SecureStorageError? = nil) {
            self.name = name
            self.alone = alone
            self.withUser = withUser ?? alone
        }

        init(_ name: String, _ alone: BackendFault, withUser: BackendFault? = nil) {
            self.init(name, .backend(.keychain, alone), withUser: withUser.map { .backend(.keychain, $0) })
        }
    }

    /// Every code with a meaning of its own. One code means two things: an item without access control is out of reach
    /// only because the device is locked.
    private static let table: [KeychainStatus: Meaning] = [
        .duplicateItem: Meaning("errSecDuplicateItem", .alreadyExists),
        .itemNotFound: Meaning("errSecItemNotFound", .absenceUnproven),
        .interactionNotAllowed: Meaning("errSecInteractionNotAllowed", .locked, withUser: .interactionNotAllowed),
        .interactionRequired: Meaning("errSecInteractionRequired", .interactionNotAllowed),
        .inDarkWake: Meaning("errSecInDarkWake", .interactionNotAllowed),
        .dataNotAvailable: Meaning("errSecDataNotAvailable", .locked),
        .authFailed: Meaning("errSecAuthFailed", .authenticationFailed(attemptsLeft: nil)),
        .userCanceled: Meaning("errSecUserCanceled", .cancelled),
        .missingEntitlement: Meaning("errSecMissingEntitlement", .unavailable(.noEntitlement)),
        .noAccessForItem: Meaning("errSecNoAccessForItem", .unavailable(.noPermission)),
        .notAvailable: Meaning("errSecNotAvailable", .unavailable(.noService)),
        .unimplemented: Meaning("errSecUnimplemented", .unsupported),
        .decode: Meaning("errSecDecode", .damaged),
        .diskFull: Meaning("errSecDiskFull", .full),
        .dataTooLarge: Meaning("errSecDataTooLarge", .outsideLimits(.itemSize)),
        .allocate: Meaning("errSecAllocate", .outOfMemory),
        .malformedAnswer: Meaning("malformed answer", .malformedAnswer),
        .param: Meaning("errSecParam", .refused(code: -50)),
        .readOnly: Meaning("errSecReadOnly", .refused(code: -25292)),
        .internalComponent: Meaning("errSecInternalComponent", .refused(code: -2070)),
    ]

    /// Returns the error that a store throws for the code.
    ///
    /// - Parameter withUser: whether the user takes part in reading the item.
    func error(withUser: Bool) -> SecureStorageError {
        guard let meaning = Self.table[self] else { return .backend(.keychain, .refused(code: Int(rawValue))) }
        return withUser ? meaning.withUser : meaning.alone
    }
}
