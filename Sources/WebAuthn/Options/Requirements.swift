/// Whether the authenticator must verify its user: by PIN, finger or face (Level 3, section 5.8.6).
public enum UserVerification: String, Equatable, Sendable, CaseIterable {
    /// A response without it is refused.
    case required
    /// It is requested; the response says whether it was done.
    case preferred
    /// It is not requested.
    case discouraged
}

/// Whether the authenticator stores the credential, so that it is discoverable (Level 3, section 5.4.6).
public enum ResidentKey: String, Equatable, Sendable, CaseIterable {
    /// The credential must be discoverable.
    case required
    /// The credential should be discoverable.
    case preferred
    /// The credential should not be discoverable.
    case discouraged
}

/// Whether the authenticator is part of the device (Level 3, section 5.4.5).
public enum AuthenticatorAttachment: String, Equatable, Sendable, CaseIterable {
    /// An authenticator that is part of the device.
    case platform
    /// An authenticator that moves between devices.
    case crossPlatform = "cross-platform"
}

/// The requested kind of attestation (Level 3, section 5.4.7).
public enum AttestationConveyance: String, Equatable, Sendable, CaseIterable {
    /// No attestation is requested.
    case none
    /// An attestation is requested, which the client may make anonymous.
    case indirect
    /// An attestation is requested as the authenticator makes it.
    case direct
    /// An attestation is requested that may identify the individual device.
    case enterprise
}

/// The dialogue that the browser should show first (Level 3, section 5.8.7).
public enum AuthenticatorHint: String, Equatable, Sendable, CaseIterable {
    /// A security key.
    case securityKey = "security-key"
    /// The device that the browser runs on.
    case clientDevice = "client-device"
    /// Another device, such as a phone.
    case hybrid
}

/// How the client got the user's consent to a registration (Credential Management, section 2.3.2).
public enum Mediation: Equatable, Sendable {
    /// The browser shows a dialogue: a user was present.
    case modal
    /// The browser relies on the user's previous action, such as signing in with a stored password: the user need not
    /// have touched the authenticator.
    case conditional
}

/// A transport to an authenticator (Level 3, section 5.8.4). Unknown names are kept, because browsers know them.
public struct Transport: Hashable, Sendable {
    /// The name: at most 32 letters, digits and hyphens.
    public let name: String

    /// USB.
    public static let usb = Transport(unchecked: "usb")
    /// NFC.
    public static let nfc = Transport(unchecked: "nfc")
    /// Bluetooth.
    public static let ble = Transport(unchecked: "ble")
    /// A card with contacts.
    public static let smartCard = Transport(unchecked: "smart-card")
    /// Another device, such as a phone, by a code that it reads.
    public static let hybrid = Transport(unchecked: "hybrid")
    /// The device itself.
    public static let `internal` = Transport(unchecked: "internal")

    /// Creates a transport; nil for an empty or long name, or one with other characters than letters, digits and
    /// hyphens.
    public init?(_ name: String) {
        guard (1...WebAuthnLimits.transportCharacters).contains(name.utf8.count),
            name.utf8.allSatisfy({
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        self.name = name
    }

    private init(unchecked name: String) { self.name = name }
}
