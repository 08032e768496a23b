internal import Crypto
internal import X509

/// The statement of authenticators from before FIDO2 (Level 3, section 8.6).
///
/// The signature covers neither the model nor the flags: such an authenticator has no model identifier. Some send one
/// nevertheless, as the specification's own vector does; no step of the procedure refuses that.
enum FIDOU2FStatement {
    static func verify(_ statement: AttestationStatement) throws(WebAuthnError) -> Attestation {
        let signature = try statement.bytes("sig")
        let certificates = try statement.certificates()
        try statement.requireOnly(fields: 2)
        // Step 2: exactly one certificate, with a key on P-256.
        guard certificates.count == 1 else { throw .attestation(.malformed) }
        let key = try certificates.first.attestationKey()
        guard key.algorithm == .es256 else { throw .attestation(.certificate(.key)) }
        // Step 4: the credential's key has two coordinates of 32 bytes.
        let credential = statement.credential
        guard credential.publicKey.algorithm == .es256, let point = credential.publicKey.uncompressedPoint else {
            throw .attestation(.wrongAlgorithm)
        }
        // Step 5.
        let verified =
            [0x00] + statement.authenticatorData.relyingPartyIDHash + statement.clientDataHash + credential.id.bytes
            + point
        // Step 6.
        try statement.verify(signature, over: verified, by: key, algorithm: COSEAlgorithm.es256.rawValue)
        return Attestation(format: .fidoU2F, kind: .certified(certificates.all), aaguid: credential.aaguid)
    }
}

extension COSEKey {
    /// Returns the 65 bytes of 4 and both coordinates; nil for keys that are not on P-256.
    fileprivate var uncompressedPoint: [UInt8]? {
        guard case .p256(let key) = key else { return nil }
        return Array(key.x963Representation)
    }
}
