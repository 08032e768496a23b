public import Encoding

/// The input of a format's verification procedure (Level 3, section 6.5.2): the statement, and the data that it covers.
public struct AttestationStatement: Sendable {
    /// The name of the format, as in the attestation object.
    public let format: String
    /// The statement: a map.
    public let statement: CBOR
    /// The authenticator data that the statement covers.
    public let authenticatorData: AuthenticatorData
    /// The credential in the authenticator data.
    public let credential: AttestedCredential
    /// The SHA-256 of the client data, 32 bytes.
    public let clientDataHash: [UInt8]

    /// Takes the statement of an object, to be verified with the hash of the client data.
    ///
    /// - Parameter clientDataHash: 32 bytes.
    public init(of object: AttestationObject, clientDataHash: [UInt8]) {
        format = object.format
        statement = .map(object.statement)
        authenticatorData = object.authenticatorData
        credential = object.credential
        self.clientDataHash = clientDataHash
    }

    /// The authenticator data followed by the hash of the client data, which most formats sign.
    public var signedBytes: [UInt8] { authenticatorData.bytes + clientDataHash }

    /// Verifies the statement by its format's procedure. Certificates are read and compared; whether to trust them is
    /// decided elsewhere.
    ///
    /// - Parameter rules: the requirements that the specification leaves to the relying party.
    /// - Throws: ``WebAuthnError/unsupportedAttestationFormat``, ``WebAuthnError/attestation(_:)``.
    public func verify(by rules: AttestationRules = .strict) throws(WebAuthnError) -> Attestation {
        // Section 7.1, step 21.
        guard let format = AttestationFormat(name: self.format) else { throw .unsupportedAttestationFormat }
        // Step 22.
        switch format {
        case .none: return try NoneStatement.verify(self)
        case .unknown: throw .unsupportedAttestationFormat
        case .packed: return try PackedStatement.verify(self)
        case .tpm: return try TPMStatement.verify(self, by: rules)
        case .androidKey: return try AndroidKeyStatement.verify(self, by: rules)
        case .apple: return try AppleStatement.verify(self)
        case .fidoU2F: return try FIDOU2FStatement.verify(self)
        }
    }

    /// The number of members of the statement: a format's procedure refuses unknown ones.
    var memberCount: Int {
        guard case .map(let map) = statement else { return 0 }
        return map.entries.count
    }
}
