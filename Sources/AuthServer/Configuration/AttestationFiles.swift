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
            // What WebAuthn leaves to the relying party is no reason to refuse a passkey that needs no attestation at all.
            // Where such a key lies, and whether SHA-1 is trusted, is judged all the same.
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
            // Whether it is the newest that was seen, the store knows: ``MetadataNumbers``.
            return try MetadataBLOB(
                verifying: file, roots: roots, signer: MetadataBLOB.service, atLeast: 0, at: now.milliseconds)
        } catch {
            throw .attestationFile(path)
        }
    }

    /// Refuses metadata that are older than some that were seen before: what was reported since would be forgotten.
    ///
    /// - Parameter highest: the highest number that was seen, of these and all before.
    static func require(_ blob: MetadataBLOB, in path: String, notBelow highest: Int64) throws(StartupError) {
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

    /// Each certificate of a PEM file by itself.
    private static func certificates(in text: String) -> [String] {
        let end = "-----END CERTIFICATE-----"
        return text.split(separator: end).filter { $0.contains("-----BEGIN CERTIFICATE-----") }.map { $0 + end }
    }
}

extension ServerConfiguration.AttestationSettings.AnchorFormat {
    /// As WebAuthn has it.
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
