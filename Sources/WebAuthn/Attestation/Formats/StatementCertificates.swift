internal import Encoding
internal import SwiftASN1
internal import X509

extension AttestationStatement {
    /// The certificates of `x5c`.
    struct Path {
        /// The attesting certificate.
        let first: Certificate
        /// The attesting certificate and those above it, up to the first that cannot be read.
        let all: [Certificate]
        /// The number of certificates in the statement, readable or not.
        let count: Int
    }

    /// Reads the certificates of `x5c`.
    ///
    /// The formats' procedures verify the first one only, and need it. Those above it serve the decision of trust: if
    /// one cannot be read, such as Windows' that are not DER, the path ends below it, and leads to an anchor only if an
    /// anchor issued what was read.
    ///
    /// - Throws: ``AttestationFlaw/malformed``; ``AttestationFlaw/unreadableCertificate`` about the first one.
    func certificates() throws(WebAuthnError) -> Path {
        guard case .array(let items)? = statement["x5c"], items.count <= WebAuthnLimits.certificates else {
            throw .attestation(.malformed)
        }
        var certificates: [Certificate] = []
        var isComplete = true
        for item in items {
            guard case .bytes(let der) = item else { throw .attestation(.malformed) }
            guard isComplete else { continue }
            if let certificate = Certificate.reading(der: der) {
                certificates.append(certificate)
            } else {
                guard !certificates.isEmpty else { throw .attestation(.unreadableCertificate) }
                isComplete = false
            }
        }
        guard let first = certificates.first else { throw .attestation(.malformed) }
        return Path(first: first, all: certificates, count: items.count)
    }

    /// Returns the field of that name. - Throws: ``AttestationFlaw/malformed`` if it is not a byte string.
    func bytes(_ name: String) throws(WebAuthnError) -> [UInt8] {
        guard case .bytes(let bytes)? = statement[name] else { throw .attestation(.malformed) }
        return bytes
    }

    /// Returns the number of the algorithm. - Throws: ``AttestationFlaw/malformed`` without one.
    func algorithm() throws(WebAuthnError) -> Int64 {
        guard let number = statement["alg"]?.integer else { throw .attestation(.malformed) }
        return number
    }

    /// Refuses a statement with other fields than these. - Throws: ``AttestationFlaw/malformed``.
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
    /// Returns the certificate's key. - Throws: ``AttestationFlaw/unreadableCertificate`` if its kind is not supported
    /// here.
    func attestationKey() throws(WebAuthnError) -> COSEKey {
        guard let key = COSEKey(publicKey) else { throw .attestation(.unreadableCertificate) }
        return key
    }

    /// Checks the model (sections 8.2 and 8.3): a certificate that names a model is for that one only.
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
