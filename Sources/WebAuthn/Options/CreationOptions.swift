public import Encoding

/// The options for `navigator.credentials.create` (Level 3, section 5.4, `PublicKeyCredentialCreationOptionsJSON`).
public struct CreationOptions: Equatable, Sendable {
    /// The domain of the relying party.
    public var relyingPartyID: RelyingPartyID
    /// The name of the relying party, for the user to read.
    public var relyingPartyName: String
    /// The user that the credential is for.
    public var user: User
    /// The challenge to be signed.
    public var challenge: [UInt8]
    /// The accepted algorithms, in order of preference.
    public var algorithms: [COSEAlgorithm]
    /// How long the client waits, in milliseconds; nil leaves it to the client.
    public var timeout: UInt32?
    /// The user's existing credentials: an authenticator that has one of them makes no other.
    public var excluded: [CredentialDescriptor]
    /// The requested kind of authenticator; nil for any.
    public var attachment: AuthenticatorAttachment?
    /// Whether the credential must be discoverable.
    public var residentKey: ResidentKey
    /// Whether the authenticator must verify the user.
    public var userVerification: UserVerification
    /// Hints to the browser about the authenticator that the user probably has.
    public var hints: [AuthenticatorHint]
    /// The requested kind of attestation.
    public var attestation: AttestationConveyance

    /// The options as JSON, for `PublicKeyCredential.parseCreationOptionsFromJSON`. They also request `credProps`,
    /// which says whether the credential is discoverable.
    public var json: JSON {
        let selection = JSON.object(with: [
            "residentKey": .string(residentKey.rawValue),
            // For clients of Level 1.
            "requireResidentKey": .bool(residentKey == .required),
            "userVerification": .string(userVerification.rawValue),
            "authenticatorAttachment": attachment.map { .string($0.rawValue) },
        ])
        return .object(with: [
            "rp": ["id": .string(relyingPartyID.text), "name": .string(relyingPartyName)],
            "user": [
                "id": .string(Base64URL.encode(user.handle.bytes)), "name": .string(user.name),
                "displayName": .string(user.displayName),
            ],
            "challenge": .string(Base64URL.encode(challenge)),
            "pubKeyCredParams": .array(algorithms.map { ["type": "public-key", "alg": JSON($0.rawValue)] }),
            "excludeCredentials": .array(excluded.map(\.json)), "authenticatorSelection": selection,
            "hints": .array(hints.map { .string($0.rawValue) }), "attestation": .string(attestation.rawValue),
            "extensions": ["credProps": true], "timeout": timeout.map { JSON(Int64($0)) },
        ])
    }

    /// Reads options, on a client's side.
    ///
    /// Unknown algorithms are left out. Unknown members are ignored.
    /// - Throws: ``WebAuthnError/malformed(_:)`` with the part that is wrong.
    public init(json: JSON) throws(WebAuthnError) {
        guard let id = json["rp"]?["id"]?.string, let name = json["rp"]?["name"]?.string, let user = json["user"],
            let userName = user["name"]?.string, let displayName = user["displayName"]?.string,
            let parameters = json["pubKeyCredParams"]?.array
        else { throw .malformed(.options) }
        relyingPartyID = try RelyingPartyID(id)
        relyingPartyName = name
        self.user = try User(
            handle: UserHandle(user.bytes("id", of: .userHandle)), name: userName, displayName: displayName)
        challenge = try Challenge(json.bytes("challenge", of: .challenge)).bytes
        algorithms = []
        for parameter in parameters {
            guard let type = parameter["type"]?.string, let number = parameter["alg"]?.number?.integer(as: Int64.self)
            else { throw .malformed(.options) }
            if type == "public-key", let algorithm = COSEAlgorithm(rawValue: number) { algorithms.append(algorithm) }
        }
        timeout = try RequestOptions.timeout(of: json)
        excluded = try CredentialDescriptor.list(json["excludeCredentials"])
        let selection = json["authenticatorSelection"] ?? [:]
        attachment = try selection.choice("authenticatorAttachment", of: AuthenticatorAttachment.self, else: .options)
        // Section 5.4.4: if `residentKey` is missing, the older Boolean decides.
        residentKey =
            try selection.choice("residentKey", of: ResidentKey.self, else: .options)
            ?? (selection["requireResidentKey"]?.bool == true ? .required : .discouraged)
        userVerification =
            try selection.choice("userVerification", of: UserVerification.self, else: .options) ?? .preferred
        hints = RequestOptions.hints(of: json)
        attestation = try json.choice("attestation", of: AttestationConveyance.self, else: .options) ?? .none
    }

    init(
        relyingPartyID: RelyingPartyID, relyingPartyName: String, user: User, challenge: [UInt8],
        algorithms: [COSEAlgorithm], timeout: UInt32?, excluded: [CredentialDescriptor],
        attachment: AuthenticatorAttachment?, residentKey: ResidentKey, userVerification: UserVerification,
        hints: [AuthenticatorHint], attestation: AttestationConveyance
    ) {
        self.relyingPartyID = relyingPartyID
        self.relyingPartyName = relyingPartyName
        self.user = user
        self.challenge = challenge
        self.algorithms = algorithms
        self.timeout = timeout
        self.excluded = excluded
        self.attachment = attachment
        self.residentKey = residentKey
        self.userVerification = userVerification
        self.hints = hints
        self.attestation = attestation
    }
}
