/// The status in a report about a model (FIDO Metadata Service 3, section 3.1.4), by its name there. Unknown names are
/// kept.
public struct MetadataStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Malware can pass user verification without the user.
    public static let userVerificationBypass = MetadataStatus(rawValue: "USER_VERIFICATION_BYPASS")
    /// The attestation key is known to attackers.
    public static let attestationKeyCompromise = MetadataStatus(rawValue: "ATTESTATION_KEY_COMPROMISE")
    /// Users' keys can be read or used remotely.
    public static let userKeyRemoteCompromise = MetadataStatus(rawValue: "USER_KEY_REMOTE_COMPROMISE")
    /// Users' keys can be read by a person who has the device.
    public static let userKeyPhysicalCompromise = MetadataStatus(rawValue: "USER_KEY_PHYSICAL_COMPROMISE")
    /// FIDO no longer trusts the model.
    public static let revoked = MetadataStatus(rawValue: "REVOKED")

    /// All of the above: the model does not have the properties that an attestation promises.
    public static let compromised: Set<MetadataStatus> = [
        .userVerificationBypass, .attestationKeyCompromise, .userKeyRemoteCompromise, .userKeyPhysicalCompromise,
        .revoked,
    ]

    /// FIDO has certified the model, at some level (section 3.1.4).
    public static let certified: Set<MetadataStatus> = [
        MetadataStatus(rawValue: "FIDO_CERTIFIED"), MetadataStatus(rawValue: "FIDO_CERTIFIED_L1"),
        MetadataStatus(rawValue: "FIDO_CERTIFIED_L1plus"), MetadataStatus(rawValue: "FIDO_CERTIFIED_L2"),
        MetadataStatus(rawValue: "FIDO_CERTIFIED_L2plus"), MetadataStatus(rawValue: "FIDO_CERTIFIED_L3"),
        MetadataStatus(rawValue: "FIDO_CERTIFIED_L3plus"),
    ]
    /// The model has no certification, or lost it: its metadata are its vendor's claims.
    public static let uncertified: Set<MetadataStatus> = [
        MetadataStatus(rawValue: "NOT_FIDO_CERTIFIED"), MetadataStatus(rawValue: "SELF_ASSERTION_SUBMITTED"),
        MetadataStatus(rawValue: "RETIRED"),
    ]
}
