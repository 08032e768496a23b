internal import AuthAPI
internal import WebAuthn

/// Reads the certificates of the makers that are trusted.
enum AttestationFiles {
    /// A chain of certificates has a few KiB.
    private static let certificateBytes = 1 << 20

    /// - Throws: ``StartupError/attestationFile(_:)``.
    static func policy(
        _ settings: ServerConfiguration.AttestationSettings, at now: Timestamp
    ) throws(StartupError) -> AttestationPolicy {
        var anchors: [TrustAnchor] = []
        for path in settings.anchorPaths { anchors += try self.anchors(in: path) }
        var policy = AttestationPolicy.anything
        policy.anchors = Dictionary(uniqueKeysWithValues: AttestationFormat.allCases.map { ($0, anchors) })
        if settings.isRequired { policy.levels = [.anchored] }
        if let path = settings.metadataPath {
            guard let rootPath = settings.metadataRootPath else { throw .attestationFile("attestation.metadata_root") }
            policy.metadata = AttestationPolicy.MetadataUse(
                try metadata(in: path, signedBy: try self.anchors(in: rootPath), at: now),
                isRequired: settings.isRequired)
        }
        return policy
    }

    private static func metadata(
        in path: String, signedBy roots: [TrustAnchor], at now: Timestamp
    ) throws(StartupError) -> MetadataBLOB {
        let file = try read(path, limit: WebAuthnLimits.metadataBytes)
        do {
            // Of which number the last one was is not kept: the operator puts the file there, nobody from outside.
            return try MetadataBLOB(
                verifying: file, roots: roots, signer: MetadataBLOB.service, atLeast: 0, at: now.milliseconds)
        } catch {
            throw .attestationFile(path)
        }
    }

    private static func anchors(in path: String) throws(StartupError) -> [TrustAnchor] {
        var anchors: [TrustAnchor] = []
        for text in certificates(in: String(decoding: try read(path, limit: certificateBytes), as: UTF8.self)) {
            guard let anchor = TrustAnchor(pem: text) else { throw .attestationFile(path) }
            anchors.append(anchor)
        }
        guard !anchors.isEmpty else { throw .attestationFile(path) }
        return anchors
    }

    private static func read(_ path: String, limit: Int) throws(StartupError) -> [UInt8] {
        do {
            return try OperatorFile.read(path, limit: limit)
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
