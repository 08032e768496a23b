internal import Crypto
internal import Encoding
internal import SwiftASN1
internal import X509

/// The statement of Apple's anonymous authority (Level 3, section 8.8). It has no signature of its own: the certificate
/// is the proof.
enum AppleStatement {
    static func verify(_ statement: AttestationStatement) throws(WebAuthnError) -> Attestation {
        let certificates = try statement.certificates()
        // Apple's devices send this, though the specification does not have it: the algorithm of the credential's key.
        if statement.statement["alg"] == nil {
            try statement.requireOnly(fields: 1)
        } else {
            try statement.requireOnly(fields: 2)
            guard try statement.algorithm() == statement.credential.publicKey.algorithm.rawValue else {
                throw .attestation(.wrongAlgorithm)
            }
        }
        // Steps 2 to 4.
        guard let item = certificates.first.extensions[oid: AppleNonce.identifier] else {
            throw .attestation(.certificate(.missingExtension))
        }
        guard let nonce = AppleNonce.bytes(of: item.value) else {
            throw .attestation(.certificate(.malformedExtension))
        }
        guard nonce == Array(SHA256.hash(data: statement.signedBytes)) else { throw .attestation(.wrongNonce) }
        // Step 5.
        guard try certificates.first.attestationKey() == statement.credential.publicKey else {
            throw .attestation(.wrongKey)
        }
        return Attestation(
            format: .apple, kind: .certified(certificates.all), aaguid: statement.credential.aaguid,
            stated: .secureEnclave)
    }
}
