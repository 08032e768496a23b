internal import ServerHTTP
package import Time
package import WebAuthn

/// Reads the certificates of the trusted makers.
package enum AttestationFiles {
    /// The size limit of a certificate file. A chain of certificates has a few KiB.
    private static let certificateBytes = 1 << 20

    /// Reads the policy from the files.
    ///
    /// - Throws: ``StartupError/attestationFile(_:)``.
    package static func policy(
        _ settings: ServerConfiguration.AttestationSettings, at now: Timestamp
    ) throws(StartupError) -> AttestationPolicy {
        var policy = AttestationPolicy.anything
        for file in settings.anchors {
            policy.anchors[file.format.webAuthn, default: []] += try anchors(in: file.path)
        }
        policy.trustsSHA1OfTPMs = settings.allowsInsecureSHA1OfTPMs
        if settings.isRequired {
            policy.levels = [.anchored]
            policy.rules.insecureSHA1OfTPMs = settings.allowsInsecureSHA1OfTPMs
            if settings.allowsAndroidSoftwareKeys { policy.rules.androidKeys = .anywhere }
        } else {
            // If the server requires no attestation, it does not refuse a passkey by rules that WebAuthn leaves to the
            // relying party. The place of such a key, and the trust in SHA-1, are judged anyway.
            policy.rules.insecureSHA1OfTPMs = true
            policy.rules.fixedTPMKeys = false
            policy.rules.androidKeys = .anywhere
        }
        if let path = settings.androidRevocationPath { policy.revocations = try revocations(in: path) }
        if let path = settings.metadataPath, let rootPath = settings.metadataRootPath {
            policy.metadata = AttestationPolicy.MetadataUse(
                try metadata(in: path, signedBy: try self.anchors(in: rootPath), at: now),
                isRequired: settings.isRequired)
        }
        return policy
    }

    private static func revocations(in path: String) throws(StartupError) -> AndroidRevocationList {
        do {
            return try AndroidRevocationList(decoding: try read(path, limit: WebAuthnLimits.revocationListBytes))
        } catch {
            throw .attestationFile(path)
        }
    }

    private static func metadata(
        in path: String, signedBy roots: [TrustAnchor], at now: Timestamp
    ) throws(StartupError) -> MetadataBLOB {
        let file = try read(path, limit: WebAuthnLimits.metadataBytes)
        do {
            // ``MetadataNumbers`` checks, with the store, whether these metadata are older than some that were seen
            // before.
            return try MetadataBLOB(
                verifying: file, roots: roots, signer: MetadataBLOB.service, atLeast: 0, at: now.milliseconds)
        } catch {
            throw .attestationFile(path)
        }
    }

    /// Refuses metadata that are older than some that were seen before: reports made in between would be lost.
    ///
    /// - Parameter highest: the highest number seen so far, including that of these metadata.
    package static func require(_ blob: MetadataBLOB, in path: String, notBelow highest: Int64) throws(StartupError) {
        guard blob.number >= highest else {
            throw .olderMetadata(path: path, number: blob.number, seen: highest)
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

    /// Returns each certificate of a PEM file separately.
    private static func certificates(in text: String) -> [String] {
        let end = "-----END CERTIFICATE-----"
        return text.split(separator: end).filter { $0.contains("-----BEGIN CERTIFICATE-----") }.map { $0 + end }
    }
}

extension ServerConfiguration.AttestationSettings.AnchorFormat {
    /// The format as WebAuthn names it.
    fileprivate var webAuthn: AttestationFormat {
        switch self {
        case .packed: .packed
        case .tpm: .tpm
        case .androidKey: .androidKey
        case .apple: .apple
        case .fidoU2F: .fidoU2F
        }
    }
}
