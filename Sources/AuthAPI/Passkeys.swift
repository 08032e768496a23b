public import Encoding
public import Time

/// The purpose of a challenge. It is part of the challenge, so that a challenge for a harmless purpose cannot be used
/// for another.
public enum CeremonyPurpose: String, CaseIterable, Sendable {
    /// A passkey for a new account.
    case signUp = "sign_up"
    /// One more passkey for the signed-in account.
    case addPasskey = "add_passkey"
    /// A new session, by a passkey.
    case signIn = "sign_in"
    /// A fresh use of the passkey in an existing session, before a sensitive change (step-up).
    case stepUp = "step_up"
    /// A passkey for an account that lost its others, with a recovery code.
    case recovery = "recovery"
    /// An attestation of the device's key.
    case deviceAttestation = "device_attestation"
}

/// `POST /api/auth/passkey/register/options`, for ``CeremonyPurpose/signUp`` and ``CeremonyPurpose/addPasskey``.
public struct RegistrationOptionsRequest: Equatable, Sendable {
    /// The purpose of the new passkey.
    public let purpose: CeremonyPurpose
    /// The user's label for the account, which need not be unique. Only for a sign-up.
    public let accountName: String?
    /// The code of an invitation, as the user typed it: for a sign-up at a server that requires one.
    public let invitation: String?

    /// Creates a request.
    public init(purpose: CeremonyPurpose, accountName: String?, invitation: String? = nil) {
        self.purpose = purpose
        self.accountName = accountName
        self.invitation = invitation
    }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        let members = try RequestMembers(json)
        purpose = try members.word("purpose", among: [.signUp, .addPasskey])
        accountName = try members.optionalName("account_name")
        invitation = try members.optionalText("invitation", characters: AuthLimits.tokenCharacters)
        guard (purpose == .signUp) == (accountName != nil) else { throw Problem(.malformedRequest) }
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: [
            "purpose": .string(purpose.rawValue), "account_name": accountName.map(JSON.string),
            "invitation": invitation.map(JSON.string),
        ])
    }
}

/// `POST /api/auth/passkey/authenticate/options`, for ``CeremonyPurpose/signIn`` and ``CeremonyPurpose/stepUp``.
public struct AuthenticationOptionsRequest: Equatable, Sendable {
    /// The purpose of the authentication.
    public let purpose: CeremonyPurpose

    /// Creates a request.
    public init(purpose: CeremonyPurpose) { self.purpose = purpose }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        purpose = try RequestMembers(json).word("purpose", among: [.signIn, .stepUp])
    }

    /// The object as it is sent.
    public var json: JSON { ["purpose": .string(purpose.rawValue)] }
}

/// `POST /api/auth/passkey/register` and `/api/auth/passkey/authenticate`: the authenticator's response.
public struct CredentialRequest: Equatable, Sendable {
    /// `RegistrationResponseJSON` or `AuthenticationResponseJSON` (WebAuthn Level 3 section 5.1).
    public let credential: JSON
    /// The label of the account, if it is new.
    public let accountName: String?
    /// The name of the passkey, if it is new.
    public let passkeyName: String?
    /// The name of this device, if it is new.
    public let deviceName: String?
    /// The code of the invitation: to register a new account at a server that requires one.
    public let invitation: String?

    /// Creates a request.
    public init(
        credential: JSON, accountName: String? = nil, passkeyName: String? = nil, deviceName: String? = nil,
        invitation: String? = nil
    ) {
        self.credential = credential
        self.accountName = accountName
        self.passkeyName = passkeyName
        self.deviceName = deviceName
        self.invitation = invitation
    }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        let members = try RequestMembers(json)
        credential = try members.required("credential") { value throws(Problem) in value }
        accountName = try members.optionalName("account_name")
        passkeyName = try members.optionalName("passkey_name")
        deviceName = try members.optionalName("device_name")
        invitation = try members.optionalText("invitation", characters: AuthLimits.tokenCharacters)
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: [
            "credential": credential, "account_name": accountName.map(JSON.string),
            "passkey_name": passkeyName.map(JSON.string),
            "device_name": deviceName.map(JSON.string), "invitation": invitation.map(JSON.string),
        ])
    }
}

/// The response to a registration.
public struct RegistrationAnswer: Equatable, Sendable {
    /// The passkey that was registered.
    public let passkey: PasskeyView
    /// The first session of a new account, or of a recovered one.
    public let tokens: TokenResponse?
    /// The recovery codes of a new account. They are shown only this once.
    public let recoveryCodes: [String]?

    /// Creates a response.
    public init(passkey: PasskeyView, tokens: TokenResponse? = nil, recoveryCodes: [String]? = nil) {
        self.passkey = passkey
        self.tokens = tokens
        self.recoveryCodes = recoveryCodes
    }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        passkey = try members.required("passkey") { value throws(MalformedAnswer) in try PasskeyView(value) }
        tokens = try members.optional("tokens") { value throws(MalformedAnswer) in try TokenResponse(value) }
        recoveryCodes = try members.optionalList("recovery_codes", RecoveryCodesAnswer.code)
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: [
            "passkey": passkey.json, "tokens": tokens?.json,
            "recovery_codes": recoveryCodes.map { .array($0.map(JSON.string)) },
        ])
    }
}

/// A passkey, as its owner sees it.
public struct PasskeyView: Equatable, Sendable {
    /// The credential id in base64url.
    public let id: String
    /// The name that its owner gave to the passkey.
    public let name: String
    /// The time when the passkey was registered.
    public let created: Timestamp
    /// The time when the passkey last signed in; nil if it never did.
    public let lastUsed: Timestamp?
    /// Whether the passkey can be copied to other devices: WebAuthn's flag BE (backup eligible). In JSON `synchronised`.
    public let isBackupEligible: Bool
    /// The format of the passkey's attestation: `none`, `packed`, …
    public let attestation: String
    /// Whether the session that asks is signed in with this passkey. In JSON `current`.
    public let isCurrent: Bool

    /// Creates a passkey as its owner sees it.
    public init(
        id: String, name: String, created: Timestamp, lastUsed: Timestamp?, isBackupEligible: Bool, attestation: String,
        isCurrent: Bool
    ) {
        self.id = id
        self.name = name
        self.created = created
        self.lastUsed = lastUsed
        self.isBackupEligible = isBackupEligible
        self.attestation = attestation
        self.isCurrent = isCurrent
    }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        id = try members.text("passkey_id", characters: 1...1364)
        name = try members.text("name", characters: AuthLimits.nameCharacters)
        created = try members.time("created_at")
        lastUsed = try members.optionalTime("last_used_at")
        isBackupEligible = try members.bool("synchronised")
        attestation = try members.text("attestation", characters: 1...32)
        isCurrent = try members.bool("current")
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: [
            "passkey_id": .string(id), "name": .string(name), "created_at": JSON(created),
            "last_used_at": lastUsed.map { JSON($0) }, "synchronised": .bool(isBackupEligible),
            "attestation": .string(attestation), "current": .bool(isCurrent),
        ])
    }
}

/// A new name for a passkey or a device.
public struct Renaming: Equatable, Sendable {
    /// The new name.
    public let name: String

    /// Creates a request.
    public init(name: String) { self.name = name }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        name = try RequestMembers(json).name("name")
    }

    /// The object as it is sent.
    public var json: JSON { ["name": .string(name)] }
}
