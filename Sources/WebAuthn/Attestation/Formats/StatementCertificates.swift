internal import Encoding
internal import SwiftASN1
internal import X509

extension AttestationStatement {
    /// The certificates of `x5c`: the one that attests, and those above it.
    ///
    /// - Throws: ``AttestationFlaw/malformed``, ``AttestationFlaw/unreadableCertificate``.
    func certificates() throws(WebAuthnError) -> (first: Certificate, all: [Certificate]) {
        guard case .array(let items)? = statement["x5c"], items.count <= WebAuthnLimits.certificates else {
            throw .attestation(.malformed)
        }
        var certificates: [Certificate] = []
        for item in items {
            guard case .bytes(let der) = item else { throw .attestation(.malformed) }
            guard let certificate = Certificate.reading(der: der) else { throw .attestation(.unreadableCertificate) }
            certificates.append(certificate)
        }
        guard let first = certificates.first else { throw .attestation(.malformed) }
        return (first, certificates)
    }

    /// The field of that name. - Throws: ``AttestationFlaw/malformed`` if it is no byte string.
    func bytes(_ name: String) throws(WebAuthnError) -> [UInt8] {
        guard case .bytes(let bytes)? = statement[name] else { throw .attestation(.malformed) }
        return bytes
    }

    /// The number of the algorithm. - Throws: ``AttestationFlaw/malformed`` if there is none.
    func algorithm() throws(WebAuthnError) -> Int64 {
        guard let number = statement["alg"]?.integer else { throw .attestation(.malformed) }
        return number
    }

    /// Refuses a statement with other fields than these, which are all there. - Throws: ``AttestationFlaw/malformed``.
    func requireOnly(fields count: Int) throws(WebAuthnError) {
        guard memberCount == count else { throw .attestation(.malformed) }
    }

    /// Checks a signature with a key of that algorithm.
    ///
    /// - Throws: ``AttestationFlaw/wrongAlgorithm``, ``AttestationFlaw/badSignature``.
    func verify(
        _ signature: [UInt8], over bytes: [UInt8], by key: COSEKey, algorithm: Int64
    ) throws(WebAuthnError) {
        guard key.algorithm.rawValue == algorithm else { throw .attestation(.wrongAlgorithm) }
        do {
            try key.verify(signature: signature, over: bytes)
        } catch { throw .attestation(.badSignature) }
    }
}

extension Certificate {
    /// The certificate's key. - Throws: ``AttestationFlaw/unreadableCertificate`` if no algorithm here is for such a key.
    func attestationKey() throws(WebAuthnError) -> COSEKey {
        guard let key = COSEKey(publicKey) else { throw .attestation(.unreadableCertificate) }
        return key
    }

    /// Sections 8.2 and 8.3: a certificate that names a model is for that one only.
    ///
    /// - Throws: ``AttestationFlaw/certificate(_:)`` with `model`, ``AttestationFlaw/wrongModel``.
    func checkModel(is aaguid: AAGUID) throws(WebAuthnError) {
        guard let item = extensions[oid: AAGUIDExtension.identifier] else { return }
        guard !item.critical, let bytes = AAGUIDExtension.bytes(of: item.value) else {
            throw .attestation(.certificate(.model))
        }
        guard bytes == aaguid.bytes else { throw .attestation(.wrongModel) }
    }
}
