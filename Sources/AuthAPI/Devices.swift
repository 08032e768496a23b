public import Encoding
public import Time

/// The degree of proof about the place of a device's key.
public enum DeviceTrust: String, CaseIterable, Sendable {
    /// The device has no attestation.
    case unattested
    /// An attestation was valid, but its certificates lead to no anchor.
    case unverified
    /// The certificates lead to an anchor, and it is not proven that the key is in hardware.
    case anchored
    /// The certificates lead to an anchor, and it is proven that the key is in hardware.
    case trusted
}

/// A device, as its owner sees it.
public struct DeviceView: Equatable, Sendable {
    public let id: DeviceID
    /// The name that its owner gave to the device.
    public let name: String
    /// Whether the request comes from this device.
    public let isCurrent: Bool
    /// The time when the device was registered.
    public let created: Timestamp
    /// The time when the device last sent a request.
    public let lastSeen: Timestamp
    /// The degree of proof about the place of its key.
    public let trust: DeviceTrust

    /// Creates a device as its owner sees it.
    public init(
        id: DeviceID, name: String, isCurrent: Bool, created: Timestamp, lastSeen: Timestamp, trust: DeviceTrust
    ) {
        self.id = id
        self.name = name
        self.isCurrent = isCurrent
        self.created = created
        self.lastSeen = lastSeen
        self.trust = trust
    }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        id = try members.identifier("device_id")
        name = try members.text("name", characters: AuthLimits.nameCharacters)
        isCurrent = try members.bool("current")
        created = try members.time("created_at")
        lastSeen = try members.time("last_seen_at")
        trust = try members.word("trust", among: DeviceTrust.allCases)
    }

    /// The object as it is sent.
    public var json: JSON {
        .object(with: [
            "device_id": JSON(id), "name": .string(name), "current": .bool(isCurrent), "created_at": JSON(created),
            "last_seen_at": JSON(lastSeen), "trust": .string(trust.rawValue),
        ])
    }
}

/// `POST /api/auth/device/attest`: an attestation of this device's key.
public struct DeviceAttestationRequest: Equatable, Sendable {
    /// `webauthn`: an attestation object of WebAuthn whose credential key is the key that signs this device's DPoP proofs.
    public let platform: String
    /// The attestation: for `webauthn` a `RegistrationResponseJSON`.
    public let attestation: JSON

    /// Creates a request.
    public init(platform: String, attestation: JSON) {
        self.platform = platform
        self.attestation = attestation
    }

    /// Reads the object. - Throws: ``Problem`` with ``ProblemCode/malformedRequest``.
    public init(_ json: JSON) throws(Problem) {
        let members = try RequestMembers(json)
        platform = try members.text("platform", characters: 1...32)
        attestation = try members.required("attestation") { value throws(Problem) in value }
    }

    /// The object as it is sent.
    public var json: JSON { ["platform": .string(platform), "attestation": attestation] }
}

/// The response to an attestation.
public struct DeviceAttestationAnswer: Equatable, Sendable {
    /// The device that was attested.
    public let device: DeviceID
    /// The present degree of proof about the place of its key.
    public let trust: DeviceTrust

    /// Creates a response.
    public init(device: DeviceID, trust: DeviceTrust) {
        self.device = device
        self.trust = trust
    }

    /// Reads the object. - Throws: ``MalformedAnswer``.
    public init(_ json: JSON) throws(MalformedAnswer) {
        let members = try AnswerMembers(json)
        device = try members.identifier("device_id")
        trust = try members.word("trust", among: DeviceTrust.allCases)
    }

    /// The object as it is sent.
    public var json: JSON { ["device_id": JSON(device), "trust": .string(trust.rawValue)] }
}
