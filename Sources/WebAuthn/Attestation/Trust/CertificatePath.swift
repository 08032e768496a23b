internal import SwiftASN1
internal import X509

/// The certificates of a statement in order: the first is the attesting one, and each is issued by the next.
///
/// The path is followed in its own order (`x5c` is a chain), in one pass and without a search, so that a crafted pile
/// of certificates costs at most one signature for each of them and each anchor of its name. The rules are those of RFC
/// 5280, section 6.1, as far as attestations need them. Unsupported, and refused if critical: policy mappings, policy
/// constraints and all unknown extensions; name constraints are always refused.
///
/// No revocation list is fetched or read. A path is only as trustworthy as its anchors, which the operator chooses.
/// FIDO's metadata report that a model's key was compromised, and a server can have them without a connection to each
/// vendor.
struct CertificatePath {
    /// The attesting certificate, and the authorities above it.
    let certificates: [Certificate]

    /// Follows the path until a certificate is an anchor, or was issued by one. Later certificates are ignored.
    ///
    /// - Parameters:
    ///   - handled: critical extensions of the first certificate that the caller has processed.
    ///   - time: milliseconds since 1970 UTC.
    /// - Returns: the anchor. An anchor outside its own validity counts as none.
    func anchor(
        among anchors: [TrustAnchor], handling handled: Set<ASN1ObjectIdentifier> = [], at time: Int64
    ) throws(ChainFault) -> TrustAnchor {
        for (position, certificate) in certificates.enumerated() {
            guard certificate.isValid(at: time) else { throw .validity(position: position) }
            try refuseUnknown(in: certificate, at: position, handling: position == 0 ? handled : [])
            if position == 0 {
                guard certificate.maySignData else { throw .keyUsage }
            } else {
                guard certificate.mayIssue(above: position - 1) else { throw .notAnAuthority(position: position) }
            }
            if let itself = anchors.first(where: { $0.certificate == certificate }) { return itself }
            if let issuer = anchors.first(where: { $0.issued(certificate, at: position, time: time) }) {
                return issuer
            }
            guard position + 1 < certificates.count else { break }
            guard certificates[position + 1].issued(certificate) else { throw .signature(position: position) }
        }
        throw .noAnchor
    }

    /// Extensions that are processed here, or that have no effect if any policy is accepted.
    private static let known: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
        .X509ExtensionID.subjectAlternativeName, .X509ExtensionID.subjectKeyIdentifier,
        .X509ExtensionID.authorityKeyIdentifier,
        // certificatePolicies: section 6.1.1 (c), any-policy, which every path meets.
        [2, 5, 29, 32],
    ]

    private func refuseUnknown(
        in certificate: Certificate, at position: Int, handling handled: Set<ASN1ObjectIdentifier>
    ) throws(ChainFault) {
        for item in certificate.extensions {
            // Name constraints are refused even if they are not marked as critical.
            let isCritical = item.critical || item.oid == .X509ExtensionID.nameConstraints
            if isCritical, !Self.known.contains(item.oid), !handled.contains(item.oid) {
                throw .criticalExtension(position: position)
            }
        }
    }
}
