public import Encoding

/// What the verification procedure of a format is given (Level 3, section 6.5.2): the statement, and what it is about.
public struct AttestationStatement: Sendable {
    /// The name of the format, as the attestation object has it.
    public let format: String
    /// The statement: a map.
    public let statement: CBOR
    /// The authenticator data that the statement covers.
    public let authenticatorData: AuthenticatorData
    /// The credential in the authenticator data.
    public let credential: AttestedCredential
    /// The SHA-256 of the client data, 32 bytes.
    public let clientDataHash: [UInt8]

    /// Takes the statement of an object, to be verified with the hash of the client data: 32 bytes.
    ///
    /// - Parameter clientDataHash: 32 bytes.
    public init(of object: AttestationObject, clientDataHash: [UInt8]) {
        format = object.format
        statement = .map(object.statement)
        authenticatorData = object.authenticatorData
        credential = object.credential
        self.clientDataHash = clientDataHash
    }

    /// The authenticator data and the hash of the client data behind them: what most formats sign.
    public var signedBytes: [UInt8] { authenticatorData.bytes + clientDataHash }

    /// Verifies the statement by its format's procedure. Certificates are read and compared, but whether to trust them is
    /// another question.
    ///
    /// - Parameter rules: what the specification leaves to the relying party.
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

    /// The number of members of the statement: a format's procedure refuses more than it knows.
    var memberCount: Int {
        guard case .map(let map) = statement else { return 0 }
        return map.entries.count
    }
}
