public import Encoding

/// What an authenticator hands over at a registration (Level 3, section 6.5.4), not yet verified.
public struct AttestationObject: Sendable {
    /// As it came.
    public let bytes: [UInt8]
    /// The name of the statement's format: `packed`, and others.
    public let format: String
    /// The statement, in its format.
    public let statement: CBOR.Map
    public let authenticatorData: AuthenticatorData
    /// The credential, which has to be there.
    public let credential: AttestedCredential

    /// - Throws: ``WebAuthnError/malformed(_:)``, and what ``AuthenticatorData/init(decoding:)`` throws.
    public init(decoding bytes: [UInt8]) throws(WebAuthnError) {
        let object: CBOR
        do {
            object = try CBOR(decoding: bytes, limit: WebAuthnLimits.attestationObjectBytes)
        } catch { throw .malformed(.attestationObject) }
        guard case .map(let map) = object, map.entries.count == 3, case .text(let format)? = object["fmt"],
            case .map(let statement)? = object["attStmt"], case .bytes(let data)? = object["authData"],
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
}
