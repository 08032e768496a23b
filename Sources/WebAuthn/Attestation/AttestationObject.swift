public import Encoding

/// The result of an authenticator at a registration (Level 3, section 6.5.4), not yet verified.
public struct AttestationObject: Sendable {
    /// The received bytes.
    public let bytes: [UInt8]
    /// The name of the statement's format: `packed`, and others.
    public let format: String
    /// The statement, in its format.
    public let statement: CBOR.Map
    /// The authenticator data that the statement covers.
    public let authenticatorData: AuthenticatorData
    /// The credential, which must be present.
    public let credential: AttestedCredential

    /// Decodes an attestation object.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)``, and the errors of ``AuthenticatorData/init(decoding:)``.
    public init(decoding bytes: [UInt8]) throws(WebAuthnError) {
        guard let members = try? Self.members(of: bytes), case .text(let format)? = members["fmt"],
            case .map(let statement)? = members["attStmt"], case .bytes(let data)? = members["authData"],
            format.utf8.count <= WebAuthnLimits.formatCharacters
        else { throw .malformed(.attestationObject) }
        let authenticatorData = try AuthenticatorData(decoding: data)
        guard let credential = authenticatorData.credential else { throw .malformed(.authenticatorData) }
        self.bytes = bytes
        self.format = format
        self.statement = statement
        self.authenticatorData = authenticatorData
        self.credential = credential
    }

    /// Reads the three members in any order: clients assemble the object, and some security keys and phone apps do not
    /// sort them. Everything inside them has the canonical form of CTAP2.
    private static func members(of bytes: [UInt8]) throws(EncodingError) -> [String: CBOR] {
        var reader = try ByteReader(bytes, limit: WebAuthnLimits.attestationObjectBytes)
        // A map of three.
        guard try reader.uint8() == 0xa3 else { throw .unsupported }
        var members: [String: CBOR] = [:]
        for _ in 0..<3 {
            guard case .text(let name) = try CBOR(from: &reader) else { throw .unsupported }
            // If one occurred twice, another would be missing.
            members[name] = try CBOR(from: &reader)
        }
        try reader.finish()
        return members
    }
}
