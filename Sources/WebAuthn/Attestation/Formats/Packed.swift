internal import Encoding

/// The statement of WebAuthn's own format (Level 3, section 8.2).
enum PackedStatement {
    static func verify(_ statement: AttestationStatement) throws(WebAuthnError) -> Attestation {
        guard let algorithm = statement.statement["alg"]?.integer,
            case .bytes(let signature)? = statement.statement["sig"]
        else { throw .attestation(.malformed) }
        if statement.statement["x5c"] != nil { throw .unsupportedAttestationFormat }
        guard statement.memberCount == 2 else { throw .attestation(.malformed) }
        return try verifySelf(statement, algorithm: algorithm, signature: signature)
    }

    /// Section 8.2, "If x5c is not present, self attestation is in use".
    private static func verifySelf(
        _ statement: AttestationStatement, algorithm: Int64, signature: [UInt8]
    ) throws(WebAuthnError) -> Attestation {
        let credential = statement.credential
        guard algorithm == credential.publicKey.algorithm.rawValue else { throw .attestation(.wrongAlgorithm) }
        do {
            try credential.publicKey.verify(
                signature: signature, over: statement.authenticatorData.bytes, statement.clientDataHash)
        } catch { throw .attestation(.badSignature) }
        return Attestation(format: .packed, kind: .selfSigned, aaguid: credential.aaguid)
    }
}
