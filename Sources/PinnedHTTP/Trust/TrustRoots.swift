internal import Foundation
internal import SwiftASN1
internal import X509

/// The certificate authorities that a client trusts.
public struct TrustRoots: Sendable {
    /// The certificates; nil for those of the operating system, which are read when the first server shows its own. A
    /// program that talks to this machine's node never reads them.
    private let given: CertificateStore?

    var store: CertificateStore { given ?? Self.systemStore }

    /// The authorities of the operating system, from its file of certificates: `/etc/ssl/certs/ca-certificates.crt`
    /// (Debian, Ubuntu, Arch, Alpine), `/etc/pki/tls/certs/ca-bundle.crt` (Fedora), `/etc/ssl/cert.pem` (macOS).
    ///
    /// Without such a file no server is trusted. iOS has no such file: an app gives its own roots.
    public static var system: TrustRoots { TrustRoots(given: nil) }

    /// Creates roots from certificates in PEM, in place of the system's: for a user's own node, or for the authorities
    /// that an app expects.
    ///
    /// - Returns: nil if the text contains no certificate, more than ``HTTPLimits/roots``, or one that cannot be read.
    public init?(pem: [UInt8]) {
        guard let documents = try? PEMDocument.parseMultiple(pemString: String(decoding: pem, as: UTF8.self)),
            (1...HTTPLimits.roots).contains(documents.count)
        else { return nil }
        var certificates: [Certificate] = []
        for document in documents {
            guard let certificate = try? Certificate(pemDocument: document) else { return nil }
            certificates.append(certificate)
        }
        given = CertificateStore(certificates)
    }

    private init(given: CertificateStore?) { self.given = given }

    /// The files of authorities, in the order in which they are looked for.
    static let files = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    /// The system's certificates, read once. swift-certificates has the same function, but it trusts no authority at
    /// all if it cannot read one of the certificates. This one leaves those out.
    static let systemCertificates: [Certificate] = {
        for file in files {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8),
                let documents = try? PEMDocument.parseMultiple(pemString: text)
            else { continue }
            return documents.compactMap { try? Certificate(pemDocument: $0) }
        }
        return []
    }()

    private static let systemStore = CertificateStore(systemCertificates)
}
