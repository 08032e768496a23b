internal import Crypto
internal import CryptoExtras
internal import X509

/// The signature of a TPM over its certification, and the hash that goes with its algorithm.
enum TPMSignature {
    /// RSASSA-PKCS1-v1_5 with SHA-1, RS1 in the registry of COSE (RFC 8812, section 2).
    static let rs1: Int64 = -65535

    /// Verifies the signature by the certificate's key.
    ///
    /// - Returns: the required `extraData`: the hash of the covered data, by the algorithm's hash function.
    /// - Throws: ``AttestationFlaw/wrongAlgorithm``, ``AttestationFlaw/badSignature``.
    static func verify(
        _ signature: [UInt8], over certInfo: [UInt8], by certificate: Certificate, algorithm: Int64,
        in statement: AttestationStatement, rules: AttestationRules
    ) throws(WebAuthnError) -> [UInt8] {
        if algorithm == rs1, rules.insecureSHA1OfTPMs {
            guard let key = _RSA.Signing.PublicKey(certificate.publicKey) else {
                throw .attestation(.wrongAlgorithm)
            }
            guard
                key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: Insecure.SHA1.hash(data: certInfo),
                    padding: .insecurePKCS1v1_5)
            else { throw .attestation(.badSignature) }
            return Array(Insecure.SHA1.hash(data: statement.signedBytes))
        }
        let key = try certificate.attestationKey()
        try statement.verify(signature, over: certInfo, by: key, algorithm: algorithm)
        let hash: TPMHash
        switch key.algorithm {
        case .es256, .rs256: hash = .sha256
        case .es384: hash = .sha384
        case .es512: hash = .sha512
        // No TPM signs with Ed25519.
        case .edDSA: throw .attestation(.wrongAlgorithm)
        }
        return hash.digest(of: statement.signedBytes)
    }
}
