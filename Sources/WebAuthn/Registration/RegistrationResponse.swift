public import Encoding

/// The page's result of `navigator.credentials.create` (Level 3, section 5.1, `RegistrationResponseJSON`), read and not
/// yet verified.
///
/// Copies that clients add for convenience, such as `publicKey` and `authenticatorData`, are ignored: the attestation
/// object contains the attested values.
public struct RegistrationResponse: Sendable {
    /// The identifier as the client names it. ``Registration/verify(_:at:)`` compares it with the attested one.
    public let credentialID: CredentialID
    /// The client data as they were hashed.
    public let clientDataJSON: [UInt8]
    /// The client's statement about the ceremony.
    public let clientData: CollectedClientData
    /// The authenticator's result.
    public let attestationObject: AttestationObject
    /// The transports, as the client says: sorted, each once.
    public let transports: [Transport]
    /// The kind of the authenticator, as the client says.
    public let attachment: AuthenticatorAttachment?
    /// Whether the credential is discoverable (`credProps.rk`), as the client says; nil if it does not say.
    public let isDiscoverable: Bool?

    /// Reads a response of at most 64 KiB.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with the part that is wrong, and what
    ///   ``AttestationObject/init(decoding:)`` throws.
    public init(decoding bytes: some Collection<UInt8>) throws(WebAuthnError) {
        try self.init(json: .response(bytes))
    }

    /// Reads a response out of other JSON. - Throws: as ``init(decoding:)``.
    public init(json: JSON) throws(WebAuthnError) {
        let response = json["response"]
        credentialID = try json.credentialID()
        guard let response, let transports = Transport.list(response["transports"]) else { throw .malformed(.response) }
        clientDataJSON = try response.bytes("clientDataJSON", of: .response)
        clientData = try CollectedClientData(decoding: clientDataJSON)
        attestationObject = try AttestationObject(decoding: response.bytes("attestationObject", of: .response))
        self.transports = transports
        attachment = try json.choice("authenticatorAttachment", of: AuthenticatorAttachment.self, else: .response)
        isDiscoverable = try json.isDiscoverable()
    }

    /// Creates the response of a software authenticator.
    init(
        credentialID: CredentialID, clientDataJSON: [UInt8], attestationObject: [UInt8], transports: [Transport],
        attachment: AuthenticatorAttachment?, isDiscoverable: Bool?
    ) throws(WebAuthnError) {
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        clientData = try CollectedClientData(decoding: clientDataJSON)
        self.attestationObject = try AttestationObject(decoding: attestationObject)
        self.transports = transports
        self.attachment = attachment
        self.isDiscoverable = isDiscoverable
    }

    /// The response as `PublicKeyCredential.toJSON` writes it.
    public var json: JSON {
        let id = JSON.string(credentialID.description)
        let response: JSON = [
            "clientDataJSON": .string(Base64URL.encode(clientDataJSON)),
            "authenticatorData": .string(Base64URL.encode(attestationObject.authenticatorData.bytes)),
            "transports": .array(transports.map { .string($0.name) }),
            "publicKeyAlgorithm": JSON(attestationObject.credential.publicKey.algorithm.rawValue),
            "attestationObject": .string(Base64URL.encode(attestationObject.bytes)),
        ]
        let properties: JSON = isDiscoverable.map { ["rk": .bool($0)] } ?? [:]
        return .object(with: [
            "id": id, "rawId": id, "response": response,
            "clientExtensionResults": isDiscoverable == nil ? [:] : ["credProps": properties], "type": "public-key",
            "authenticatorAttachment": attachment.map { .string($0.rawValue) },
        ])
    }
}

extension JSON {
    /// Returns a client's response of either ceremony.
    static func response(_ bytes: some Collection<UInt8>) throws(WebAuthnError) -> JSON {
        do {
            return try JSON(
                decoding: bytes, limit: WebAuthnLimits.responseBytes, depth: WebAuthnLimits.responseDepth)
        } catch { throw .malformed(.response) }
    }

    /// Returns `id` and `rawId` of a `public-key`, which are the same text in JSON.
    func credentialID() throws(WebAuthnError) -> CredentialID {
        guard self["type"]?.string == "public-key", let text = self["id"]?.string, self["rawId"] == .string(text) else {
            throw .malformed(.response)
        }
        return try CredentialID(text: text)
    }

    /// Returns `credProps.rk` of the client's extensions.
    func isDiscoverable() throws(WebAuthnError) -> Bool? {
        guard let results = self["clientExtensionResults"] else { return nil }
        guard results.object != nil else { throw .malformed(.response) }
        guard let properties = results["credProps"] else { return nil }
        guard properties.object != nil else { throw .malformed(.response) }
        guard let value = properties["rk"] else { return nil }
        guard let value = value.bool else { throw .malformed(.response) }
        return value
    }
}
