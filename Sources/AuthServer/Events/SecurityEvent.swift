package import AuthAPI
internal import Encoding
package import ServerHTTP

/// A kind of event, for the owner of an account and for the operator. The texts are stable.
package enum SecurityEvent: String, CaseIterable {
    case accountCreated = "account_created"
    case accountErased = "account_erased"
    case accountExported = "account_exported"
    case accountLocked = "account_locked"
    case accountUnlocked = "account_unlocked"
    case passkeyAdded = "passkey_added"
    case passkeyRemoved = "passkey_removed"
    case passkeyTrustLost = "passkey_trust_lost"
    case signedIn = "signed_in"
    case signInRefused = "sign_in_refused"
    case steppedUp = "stepped_up"
    case signCountFell = "sign_count_fell"
    case backupEligibilityRaised = "backup_eligibility_raised"
    case sessionEnded = "session_ended"
    case refreshTokenReused = "refresh_token_reused"
    case deviceAdded = "device_added"
    case deviceRevoked = "device_revoked"
    case deviceAttested = "device_attested"
    case deviceTrustLost = "device_trust_lost"
    case recoveryCodesMade = "recovery_codes_made"
    case recoveryRefused = "recovery_refused"
    case accountRecovered = "account_recovered"
    case invitationsMade = "invitations_made"
}

/// The details of an event, which the store seals: the address that caused it, and the objects that it concerns.
package struct EventDetails: Sendable {
    /// The client's address; nil for the operator, on the server itself.
    var address: ClientAddress?
    var device: DeviceID?
    /// The name of a device that the event removed: the table of devices no longer has it.
    var deviceName: String?
    var session: SessionID?
    /// The credential id of a passkey.
    var passkey: [UInt8]?
    /// A word that says more, such as the reason or the format.
    var reason: String?

    package init(
        _ address: ClientAddress?, device: DeviceID? = nil, deviceName: String? = nil, session: SessionID? = nil,
        passkey: [UInt8]? = nil, reason: String? = nil
    ) {
        self.address = address
        self.device = device
        self.deviceName = deviceName
        self.session = session
        self.passkey = passkey
        self.reason = reason
    }

    var json: JSON {
        .object(with: [
            "address": address.map { .string($0.description) }, "device_id": device.map { .string($0.description) },
            "device_name": deviceName.map(JSON.string), "session_id": session.map { .string($0.description) },
            "passkey_id": passkey.map { .string(Base64URL.encode($0)) }, "reason": reason.map(JSON.string),
        ])
    }
}
