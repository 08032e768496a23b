public import Encoding

/// The options for `navigator.credentials.get` (Level 3, section 5.5, `PublicKeyCredentialRequestOptionsJSON`).
public struct RequestOptions: Equatable, Sendable {
    /// The domain of the relying party.
    public var relyingPartyID: RelyingPartyID
    /// The challenge to be signed.
    public var challenge: [UInt8]
    /// How long the client waits, in milliseconds; nil leaves it to the client.
    public var timeout: UInt32?
    /// The allowed credentials; empty for any that the authenticator has stored for this relying party.
    public var allowed: [CredentialDescriptor]
    /// Whether the authenticator must verify the user.
    public var userVerification: UserVerification
    /// Hints to the browser about the authenticator that the user probably has.
    public var hints: [AuthenticatorHint]

    /// The options as JSON, for `PublicKeyCredential.parseRequestOptionsFromJSON`.
    public var json: JSON {
        .object(with: [
            "challenge": .string(Base64URL.encode(challenge)), "rpId": .string(relyingPartyID.text),
            "allowCredentials": .array(allowed.map(\.json)),
            "userVerification": .string(userVerification.rawValue),
            "hints": .array(hints.map { .string($0.rawValue) }), "timeout": timeout.map { JSON(Int64($0)) },
        ])
    }

    /// Reads options, on a client's side. Unknown members are ignored.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with the part that is wrong.
    public init(json: JSON) throws(WebAuthnError) {
        guard let id = json["rpId"]?.string else { throw .malformed(.options) }
        relyingPartyID = try RelyingPartyID(id)
        challenge = try Challenge(json.bytes("challenge", of: .challenge)).bytes
        timeout = try Self.timeout(of: json)
        allowed = try CredentialDescriptor.list(json["allowCredentials"])
        userVerification = try json.choice("userVerification", of: UserVerification.self, else: .options) ?? .preferred
        hints = Self.hints(of: json)
    }

    init(
        relyingPartyID: RelyingPartyID, challenge: [UInt8], timeout: UInt32?, allowed: [CredentialDescriptor],
        userVerification: UserVerification, hints: [AuthenticatorHint]
    ) {
        self.relyingPartyID = relyingPartyID
        self.challenge = challenge
        self.timeout = timeout
        self.allowed = allowed
        self.userVerification = userVerification
        self.hints = hints
    }

    static func timeout(of json: JSON) throws(WebAuthnError) -> UInt32? {
        guard let timeout = json["timeout"] else { return nil }
        guard let value = timeout.number?.integer(as: UInt32.self) else { throw .malformed(.options) }
        return value
    }

    /// Returns the hints (section 5.8.7). Unknown ones are ignored, and no decision depends on hints.
    static func hints(of json: JSON) -> [AuthenticatorHint] {
        (json["hints"]?.array ?? []).compactMap { $0.string.flatMap(AuthenticatorHint.init) }
    }
}
