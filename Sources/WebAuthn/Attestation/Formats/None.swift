/// No statement (Level 3, section 8.7).
enum NoneStatement {
    static func verify(_ statement: AttestationStatement) throws(WebAuthnError) -> Attestation {
        guard statement.memberCount == 0 else { throw .attestation(.malformed) }
        return Attestation(format: .none, kind: .none, aaguid: statement.credential.aaguid)
    }
}
