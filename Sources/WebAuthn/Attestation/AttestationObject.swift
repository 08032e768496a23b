public import Encoding

/// What an authenticator hands over at a registration (Level 3, section 6.5.4), not yet verified.
public struct AttestationObject: Sendable {
    /// As it came.
    public let bytes: [UInt8]
    /// The name of the statement's format: `packed`, and others.
    public let format: String
    /// The statement, in its format.
    public let statement: CBOR.Map
    /// The authenticator data that the statement covers.
    public let authenticatorData: AuthenticatorData
    /// The credential, which has to be there.
    public let credential: AttestedCredential

    /// Decodes an attestation object.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)``, and what ``AuthenticatorData/init(decoding:)`` throws.
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

    /// The three members, in any order: clients put the object together, and some security keys and apps of telephones do
    /// not sort them. Everything inside of them is in the one form of CTAP2.
    private static func members(of bytes: [UInt8]) throws(EncodingError) -> [String: CBOR] {
        var reader = try ByteReader(bytes, limit: WebAuthnLimits.attestationObjectBytes)
        // A map of three.
        guard try reader.uint8() == 0xa3 else { throw .unsupported }
        var members: [String: CBOR] = [:]
        for _ in 0..<3 {
            guard case .text(let name) = try CBOR(from: &reader) else { throw .unsupported }
            // Were one there twice, another would be missing.
            members[name] = try CBOR(from: &reader)
        }
        try reader.finish()
        return members
    }
}
