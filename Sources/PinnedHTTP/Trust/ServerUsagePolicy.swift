internal import SwiftASN1
internal import X509

/// The requirements of RFC 5280 that swift-certificates leaves to its caller: the purposes of the keys, and
/// signatures that cannot be forged, and extensions that say what a certificate is.
struct ServerUsagePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.extendedKeyUsage, .X509ExtensionID.keyUsage,
    ]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        for (position, certificate) in chain.enumerated() {
            let isRoot = position == chain.count - 1
            // RFC 5280, section 4.2.1.12: a purpose that is named excludes the others. A root's are up to the person
            // who trusts it.
            guard let purposes = try? certificate.extensions.extendedKeyUsage else {
                guard certificate.extensions[oid: .X509ExtensionID.extendedKeyUsage] == nil else {
                    return .failsToMeetPolicy(reason: "unreadable purposes")
                }
                if let fault = fault(of: certificate, at: position, isRoot: isRoot) { return fault }
                continue
            }
            guard isRoot && position > 0 || purposes.contains(.serverAuth) else {
                return .failsToMeetPolicy(reason: "not for servers")
            }
            if let fault = fault(of: certificate, at: position, isRoot: isRoot) { return fault }
        }
        // A certificate without names for hosts is for none. The library would take the common name (RFC 9525 forbids).
        guard let names = try? chain.first?.extensions.subjectAlternativeNames, !names.isEmpty else {
            return .failsToMeetPolicy(reason: "no subject alternative names")
        }
        return .meetsPolicy
    }

    private func fault(of certificate: Certificate, at position: Int, isRoot: Bool) -> PolicyEvaluationResult? {
        // Version 1 has no extensions: the library takes each such certificate as an issuer, also a server's or a
        // client's. Only the person who trusts a root decides about it.
        guard isRoot || certificate.version == .v3 else { return .failsToMeetPolicy(reason: "version 1") }
        // Section 4.2.1.3: an issuer's key is for signing certificates.
        if position > 0, certificate.extensions[oid: .X509ExtensionID.keyUsage] != nil {
            guard let usage = try? certificate.extensions.keyUsage, usage.keyCertSign else {
                return .failsToMeetPolicy(reason: "issuer does not sign certificates")
            }
        }
        // Collisions of SHA-1 are made in days (Leurent and Peyrin 2020). The signature of a root is not relied on.
        if !isRoot, certificate.signatureAlgorithm == .sha1WithRSAEncryption {
            return .failsToMeetPolicy(reason: "SHA-1")
        }
        return nil
    }
}
