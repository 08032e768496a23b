internal import SwiftASN1
internal import X509

/// Certificates as a statement has them: each is issued by the next one, the first is the one that attests.
///
/// The path is followed in its own order (`x5c` is a chain), in one walk: nothing is searched for, so that a crafted pile
/// of certificates costs at most one signature for each of them and each anchor of its name. The rules are those of
/// RFC 5280, section 6.1, as far as attestations have use for them. Not supported, and therefore refused where they are
/// critical: policy mappings, policy constraints and all unknown extensions; and name constraints in any case.
///
/// No revocation list is fetched or read. A path is as good as its anchors, and whoever runs the server chooses those;
/// that a model's key was lost, FIDO's metadata tell, which a server can have without a connection to each vendor.
struct CertificatePath {
    /// The one that attests, and the authorities above it.
    let certificates: [Certificate]

    /// Follows the path until a certificate is an anchor, or was issued by one. What comes behind is not looked at.
    ///
    /// - Parameters:
    ///   - handled: critical extensions of the first certificate that the caller has looked at.
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

    /// Extensions that are processed here, or that ask for nothing where any policy will do.
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
            // Name constraints are refused even if an authority forgot to mark them.
            let isCritical = item.critical || item.oid == .X509ExtensionID.nameConstraints
            if isCritical, !Self.known.contains(item.oid), !handled.contains(item.oid) {
                throw .criticalExtension(position: position)
            }
        }
    }
}
