internal import SwiftASN1
internal import X509

/// A certificate that the operator trusts for attestations: a vendor's root, or one batch's own.
public struct TrustAnchor: Equatable, Sendable {
    let certificate: Certificate

    /// Reads a certificate in DER; nil if it cannot be read.
    ///
    /// - Parameter der: a certificate of at most ``WebAuthnLimits/certificateBytes`` bytes, in DER.
    /// - Returns: nil if it is not a certificate, or if its key is of another kind than these: ECDSA on P-256, P-384 or
    ///   P-521, RSA of 2048 bits and more, Ed25519.
    public init?(der: [UInt8]) {
        guard let certificate = Certificate.reading(der: der) else { return nil }
        self.certificate = certificate
    }

    /// Reads a certificate as files have it: one block of PEM, `-----BEGIN CERTIFICATE-----`.
    ///
    /// - Returns: nil for all else.
    public init?(pem: String) {
        guard pem.utf8.count <= 2 * WebAuthnLimits.certificateBytes, let document = try? PEMDocument(pemString: pem),
            document.discriminator == Certificate.defaultPEMDiscriminator
        else { return nil }
        self.init(der: document.derBytes)
    }

    /// Returns whether this anchor issued the certificate at that place of a path, and may do so.
    func issued(_ certificate: Certificate, at position: Int, time: Int64) -> Bool {
        self.certificate.isValid(at: time) && isAuthority(above: position) && self.certificate.issued(certificate)
    }

    /// Returns whether the anchor may act as an authority. Roots of the first version of X.509 cannot say so, and are
    /// anchors by choice.
    private func isAuthority(above authorities: Int) -> Bool {
        certificate.version == .v1 ? certificate.extensions.isEmpty : certificate.mayIssue(above: authorities)
    }
}
