internal import SecureStorage
internal import WebAuthn

/// Reads the certificates of the makers that are trusted.
enum AttestationFiles {
    /// A chain of certificates has a few KiB; the metadata of the FIDO alliance some megabytes.
    private static let limit = 1 << 20

    /// - Throws: ``StartupError/attestationFile(_:)``.
    static func policy(_ settings: ServerConfiguration.AttestationSettings) throws(StartupError) -> AttestationPolicy {
        var anchors: [TrustAnchor] = []
        for path in settings.anchorPaths {
            let bytes = try read(path)
            let found = certificates(in: String(decoding: bytes, as: UTF8.self))
            guard !found.isEmpty else { throw .attestationFile(path) }
            for text in found {
                guard let anchor = TrustAnchor(pem: text) else { throw .attestationFile(path) }
                anchors.append(anchor)
            }
        }
        var policy = AttestationPolicy.anything
        policy.anchors = Dictionary(uniqueKeysWithValues: AttestationFormat.allCases.map { ($0, anchors) })
        if settings.isRequired { policy.levels = [.anchored] }
        return policy
    }

    private static func read(_ path: String) throws(StartupError) -> [UInt8] {
        do {
            return try AtomicFile.read(path, limit: limit, access: .anyone)
        } catch {
            throw .attestationFile(path)
        }
    }

    /// Each certificate of a PEM file by itself.
    private static func certificates(in text: String) -> [String] {
        let end = "-----END CERTIFICATE-----"
        return text.split(separator: end).filter { $0.contains("-----BEGIN CERTIFICATE-----") }.map { $0 + end }
    }
}
