internal import Encoding

/// The identifier of a credential: 1 to 1,023 bytes that its authenticator chose. Public.
public struct CredentialID: Hashable, Sendable {
    /// The bytes of the identifier, 1...1,023.
    public let bytes: [UInt8]

    /// Creates an identifier of these bytes.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with `credentialID` for no bytes, or more than 1,023.
    public init(_ bytes: some Collection<UInt8>) throws(WebAuthnError) {
        // Section 7.1, step 25: at most 1,023 bytes.
        guard WebAuthnLimits.credentialID.contains(bytes.count) else { throw .malformed(.credentialID) }
        self.bytes = Array(bytes)
    }

    /// Reads base64url text, as in JSON. - Throws: as ``init(_:)``.
    public init(text: String) throws(WebAuthnError) {
        guard let bytes = try? Base64URL.decode(text) else { throw .malformed(.credentialID) }
        try self.init(bytes)
    }
}

extension CredentialID: CustomStringConvertible {
    /// The identifier in base64url.
    public var description: String { Base64URL.encode(bytes) }
}
