public import Encoding

/// The page's result of `navigator.credentials.get` (Level 3, section 5.1, `AuthenticationResponseJSON`), read and not
/// yet verified.
public struct AuthenticationResponse: Sendable {
    /// The identifier of the record to look up.
    public let credentialID: CredentialID
    /// The client data as they were hashed.
    public let clientDataJSON: [UInt8]
    /// The client's statement about the ceremony.
    public let clientData: CollectedClientData
    /// The data that the authenticator signed.
    public let authenticatorData: AuthenticatorData
    /// The signature over the authenticator data and the hash of the client data.
    public let signature: [UInt8]
    /// The user, as the authenticator stored it.
    public let userHandle: UserHandle?
    /// The kind of the authenticator, as the client says.
    public let attachment: AuthenticatorAttachment?

    /// Reads a response of at most 64 KiB.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with the part that is wrong, and what
    ///   ``AuthenticatorData/init(decoding:)`` throws.
    public init(decoding bytes: some Collection<UInt8>) throws(WebAuthnError) {
        try self.init(json: .response(bytes))
    }

    /// Reads a response out of other JSON. - Throws: as ``init(decoding:)``.
    public init(json: JSON) throws(WebAuthnError) {
        let response = json["response"]
        let id = try json.credentialID()
        guard let response else { throw .malformed(.response) }
        // Some clients write null for a value that the authenticator did not give.
        let handle = response["userHandle"].flatMap { $0.isNull ? nil : $0 }
        if let results = json["clientExtensionResults"], results.object == nil { throw .malformed(.response) }
        try self.init(
            credentialID: id, clientDataJSON: response.bytes("clientDataJSON", of: .response),
            authenticatorData: response.bytes("authenticatorData", of: .response),
            signature: response.bytes("signature", of: .response),
            userHandle: handle == nil ? nil : UserHandle(response.bytes("userHandle", of: .userHandle)),
            attachment: json.choice("authenticatorAttachment", of: AuthenticatorAttachment.self, else: .response))
    }

    init(
        credentialID: CredentialID, clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8],
        userHandle: UserHandle?, attachment: AuthenticatorAttachment?
    ) throws(WebAuthnError) {
        guard signature.count <= WebAuthnLimits.signatureBytes else { throw .malformed(.response) }
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        clientData = try CollectedClientData(decoding: clientDataJSON)
        self.authenticatorData = try AuthenticatorData(decoding: authenticatorData)
        self.signature = signature
        self.userHandle = userHandle
        self.attachment = attachment
    }

    /// The response as `PublicKeyCredential.toJSON` writes it.
    public var json: JSON {
        let id = JSON.string(credentialID.description)
        let response = JSON.object(with: [
            "clientDataJSON": .string(Base64URL.encode(clientDataJSON)),
            "authenticatorData": .string(Base64URL.encode(authenticatorData.bytes)),
            "signature": .string(Base64URL.encode(signature)),
            "userHandle": userHandle.map { .string(Base64URL.encode($0.bytes)) },
        ])
        return .object(with: [
            "id": id, "rawId": id, "response": response, "clientExtensionResults": [:], "type": "public-key",
            "authenticatorAttachment": attachment.map { .string($0.rawValue) },
        ])
    }
}
