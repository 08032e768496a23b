internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import X509

/// The JWS around metadata (RFC 7515, section 7.1; FIDO Metadata Service 3, section 3.1.7).
enum MetadataSignature {
    /// Verifies the signature and its certificates, and only then decodes the payload.
    static func payload(
        of file: some Collection<UInt8>, roots: [TrustAnchor], signer: String, at time: Int64
    ) throws(MetadataFlaw) -> [UInt8] {
        guard file.count <= WebAuthnLimits.metadataBytes else { throw .malformed }
        var text = Array(file)
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = decode(parts[0], limit: WebAuthnLimits.metadataHeaderBytes),
            let signature = decode(parts[2], limit: WebAuthnLimits.signatureBytes)
        else { throw .malformed }
        let (algorithm, certificates) = try read(header)
        guard let first = certificates.first else { throw .malformed }
        do {
            _ = try CertificatePath(certificates: certificates).anchor(among: roots, at: time)
        } catch { throw .untrusted(error) }
        guard first.isFor(host: signer) else { throw .wrongSigner }
        let signed = text[..<(parts[0].count + 1 + parts[1].count)]
        guard try algorithm.isValid(signature, over: Array(signed), by: first) else { throw .badSignature }
        guard let payload = decode(parts[1], limit: WebAuthnLimits.metadataBytes) else { throw .malformed }
        return payload
    }

    private static func decode(_ text: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        guard text.count / 4 * 3 <= limit else { return nil }
        return try? Base64URL.decode(String(decoding: text, as: UTF8.self))
    }

    private static func read(_ header: [UInt8]) throws(MetadataFlaw) -> (Algorithm, [Certificate]) {
        // `crit` is refused (RFC 7515, section 4.1.11): nothing that it could ask for is known here.
        guard let json = try? JSON(decoding: header, limit: WebAuthnLimits.metadataHeaderBytes), json["crit"] == nil,
            let name = json["alg"]?.string, let items = json["x5c"]?.array,
            (1...WebAuthnLimits.certificates).contains(items.count)
        else { throw .malformed }
        guard let algorithm = Algorithm(rawValue: name) else { throw .unsupportedAlgorithm }
        var certificates: [Certificate] = []
        for item in items {
            guard let text = item.string, let der = try? Base64.decode(text),
                let certificate = Certificate.reading(der: der)
            else { throw .malformed }
            certificates.append(certificate)
        }
        return (algorithm, certificates)
    }

    /// RFC 7518, section 3.1.
    private enum Algorithm: String {
        case es256 = "ES256"
        case rs256 = "RS256"

        func isValid(
            _ signature: [UInt8], over bytes: [UInt8], by certificate: Certificate
        ) throws(MetadataFlaw) -> Bool {
            let digest = SHA256.hash(data: bytes)
            switch self {
            case .es256:
                guard let key = P256.Signing.PublicKey(certificate.publicKey) else { throw .unsupportedAlgorithm }
                guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: digest)
            case .rs256:
                guard let key = _RSA.Signing.PublicKey(certificate.publicKey) else { throw .unsupportedAlgorithm }
                return key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
            }
        }
    }
}

extension Certificate {
    /// Returns whether the certificate is for exactly this host. Wildcard names do not count: the service has none.
    fileprivate func isFor(host: String) -> Bool {
        guard let names = try? extensions.subjectAlternativeNames else { return false }
        return names.contains { name in
            guard case .dnsName(let name) = name else { return false }
            return name.lowercased().utf8.elementsEqual(host.lowercased().utf8)
        }
    }
}
