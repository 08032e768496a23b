internal import Crypto
internal import SwiftASN1
internal import X509

extension Pin {
    /// Computes the pin of a certificate.
    ///
    /// It hashes the bytes of the certificate itself. Encoding the parsed key again could give others: a key in
    /// compressed form, or with parameters that are left out.
    ///
    /// - Returns: nil if the certificate has no SubjectPublicKeyInfo.
    init?(of certificate: Certificate) {
        // RFC 5280, section 4.1: version [0] or nothing, serialNumber, signature, issuer, validity, subject, then the
        // key.
        guard let body = try? DER.parse(certificate.tbsCertificateBytes), case .constructed(let nodes) = body.content
        else { return nil }
        var fields = Array(nodes.prefix(7))[...]
        if fields.first?.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) {
            fields = fields.dropFirst()
        }
        guard let key = fields.dropFirst(5).first else { return nil }
        self.init(bytes: Array(SHA256.hash(data: key.encodedBytes)))
    }
}
