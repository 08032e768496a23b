internal import SwiftASN1
internal import X509

/// The requirements for the certificate of a TPM's attestation key (Level 3, section 8.3.1).
enum TPMCertificate {
    /// `tcg-kp-AIKCertificate`.
    static let usage: ASN1ObjectIdentifier = [2, 23, 133, 8, 3]
    /// `tcg-at-tpmManufacturer`.
    static let manufacturer: ASN1ObjectIdentifier = [2, 23, 133, 2, 1]
    /// `tcg-at-tpmModel`.
    static let model: ASN1ObjectIdentifier = [2, 23, 133, 2, 2]
    /// `tcg-at-tpmVersion`.
    static let version: ASN1ObjectIdentifier = [2, 23, 133, 2, 3]

    /// Checks the certificate of a TPM's attestation key (WebAuthn section 8.3.1).
    ///
    /// - Throws: ``AttestationFlaw/certificate(_:)``.
    static func check(
        _ certificate: Certificate, manufacturers: Set<TPMManufacturer>
    ) throws(WebAuthnError) {
        guard certificate.version == .v3 else { throw .attestation(.certificate(.version)) }
        guard certificate.subject.isEmpty else { throw .attestation(.certificate(.subject)) }
        guard let name = alternativeName(of: certificate) else {
            throw .attestation(.certificate(.alternativeName))
        }
        guard let text = name.only(manufacturer), let maker = TPMManufacturer(text: text),
            manufacturers.contains(maker)
        else { throw .attestation(.certificate(.manufacturer)) }
        guard (try? certificate.extensions.extendedKeyUsage)?.contains(.init(oid: usage)) == true else {
            throw .attestation(.certificate(.extendedKeyUsage))
        }
        guard certificate.saysItIsNoAuthority else { throw .attestation(.certificate(.noAuthority)) }
    }

    /// Returns the directory name with manufacturer, model and version, each once (TCG EK Credential Profile, section
    /// 3.2.9). One relative name may have all three, or each has its own.
    private static func alternativeName(of certificate: Certificate) -> DistinguishedName? {
        guard let names = try? certificate.extensions.subjectAlternativeNames else { return nil }
        let directories = names.compactMap { name -> DistinguishedName? in
            if case .directoryName(let directory) = name { directory } else { nil }
        }
        guard directories.count == 1, let directory = directories.first, directory.only(manufacturer) != nil,
            directory.only(model) != nil, directory.only(version) != nil
        else { return nil }
        return directory
    }
}
