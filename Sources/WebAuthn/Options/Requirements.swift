/// Whether the authenticator has to find out who its user is: by PIN, finger or face (Level 3, section 5.8.6).
public enum UserVerification: String, Equatable, Sendable, CaseIterable {
    /// An answer without it is refused.
    case required
    /// It is asked for; the answer says whether it was done.
    case preferred
    /// It is not asked for.
    case discouraged
}

/// Whether the authenticator keeps the credential, so that it can be used without being named (Level 3, section 5.4.6).
public enum ResidentKey: String, Equatable, Sendable, CaseIterable {
    /// The credential must be discoverable.
    case required
    /// The credential should be discoverable.
    case preferred
    /// The credential should not be discoverable.
    case discouraged
}

/// Whether the authenticator is part of the device or not (Level 3, section 5.4.5).
public enum AuthenticatorAttachment: String, Equatable, Sendable, CaseIterable {
    /// An authenticator that is part of the device.
    case platform
    /// An authenticator that moves between devices.
    case crossPlatform = "cross-platform"
}

/// Which attestation is asked for (Level 3, section 5.4.7).
public enum AttestationConveyance: String, Equatable, Sendable, CaseIterable {
    /// No attestation is asked for.
    case none
    /// An attestation is asked for, which the client may make anonymous.
    case indirect
    /// An attestation is asked for as the authenticator makes it.
    case direct
    /// An attestation is asked for that may identify the very device.
    case enterprise
}

/// Which dialogue the browser is to show first (Level 3, section 5.8.7).
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
    /// By a dialogue. Somebody was there.
    case modal
    /// By what the user did just before, such as signing in with a password that the browser kept: nobody need have
    /// touched the authenticator.
    case conditional
}

/// A way to an authenticator (Level 3, section 5.8.4). Names that are not known are kept, because browsers know them.
public struct Transport: Hashable, Sendable {
    /// Letters, digits and hyphens; 32 at most.
    public let name: String

    /// A cable.
    public static let usb = Transport(unchecked: "usb")
    /// Held to the device.
    public static let nfc = Transport(unchecked: "nfc")
    /// Bluetooth.
    public static let ble = Transport(unchecked: "ble")
    /// A card with contacts.
    public static let smartCard = Transport(unchecked: "smart-card")
    /// Another device, as a telephone, by way of a code that it reads.
    public static let hybrid = Transport(unchecked: "hybrid")
    /// In the device itself.
    public static let `internal` = Transport(unchecked: "internal")

    /// Nil for what is no name: nothing, too long, or with other characters than letters, digits and hyphens.
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
