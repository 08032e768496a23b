internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import SwiftASN1
internal import X509

@testable internal import WebAuthn

/// An authority of the tests, and the certificates that it issues.
struct MintedAuthority {
    let key: Certificate.PrivateKey
    let certificate: Certificate

    var anchor: TrustAnchor {
        get throws {
            guard let anchor = TrustAnchor(der: try certificate.der) else { throw Unreadable() }
            return anchor
        }
    }

    struct Unreadable: Error {}

    /// The contents of a certificate.
    struct Template {
        var version = Certificate.Version.v3
        var subject = MintedAuthority.subject
        var from = MintedAuthority.date(2024)
        var until = MintedAuthority.date(2034)
        var extensions: [Certificate.Extension]
        var signature: Certificate.SignatureAlgorithm?

        func with(_ change: (inout Template) throws -> Void) rethrows -> Template {
            var copy = self
            try change(&copy)
            return copy
        }
    }

    /// A root.
    init(
        named name: String = "Root", key: Certificate.PrivateKey = .init(P256.Signing.PrivateKey()),
        _ template: Template? = nil
    ) throws {
        let template = try template ?? Template(extensions: Self.authority())
        let subject = try DistinguishedName([.init(type: .RDNAttributeType.commonName, utf8String: name)])
        certificate = try Self.certificate(template, subject: subject, for: key.publicKey, issuer: subject, by: key)
        self.key = key
    }

    private init(key: Certificate.PrivateKey, certificate: Certificate) {
        self.key = key
        self.certificate = certificate
    }

    /// An authority below this one.
    func authority(
        named name: String = "Intermediate", key: Certificate.PrivateKey = .init(P256.Signing.PrivateKey()),
        _ template: Template? = nil
    ) throws -> MintedAuthority {
        let template = try template ?? Template(extensions: Self.authority())
        let subject = try DistinguishedName([.init(type: .RDNAttributeType.commonName, utf8String: name)])
        return MintedAuthority(
            key: key,
            certificate: try Self.certificate(
                template, subject: subject, for: key.publicKey, issuer: certificate.subject, by: self.key))
    }

    /// A certificate of this authority.
    func issue(_ template: Template, for key: Certificate.PublicKey) throws -> Certificate {
        try Self.certificate(
            template, subject: template.subject, for: key, issuer: certificate.subject, by: self.key)
    }

    private static func certificate(
        _ template: Template, subject: DistinguishedName, for key: Certificate.PublicKey, issuer: DistinguishedName,
        by signer: Certificate.PrivateKey
    ) throws -> Certificate {
        let minted = try Certificate(
            version: template.version, serialNumber: Certificate.SerialNumber(), publicKey: key,
            notValidBefore: template.from, notValidAfter: template.until, issuer: issuer, subject: subject,
            signatureAlgorithm: template.signature ?? signer.defaultAlgorithm,
            extensions: try Certificate.Extensions(template.extensions), issuerPrivateKey: signer)
        return try Certificate(derEncoded: try minted.der)
    }

    // MARK: Pieces

    static func date(_ year: Int, _ month: Int = 1, _ day: Int = 1) -> Date {
        DateComponents(
            calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: year, month: month, day: day
        ).date ?? .distantPast
    }

    /// The end of a chain.
    static func leaf(_ more: [Certificate.Extension] = []) throws -> Template {
        Template(
            extensions: [
                try .init(BasicConstraints.notCertificateAuthority, critical: true),
                try .init(KeyUsage(digitalSignature: true), critical: true),
            ] + more)
    }

    static func authority(maximum: Int? = nil, usage: KeyUsage = KeyUsage(keyCertSign: true)) throws
        -> [Certificate.Extension]
    {
        [
            try .init(BasicConstraints.isCertificateAuthority(maxPathLength: maximum), critical: true),
            try .init(usage, critical: true),
        ]
    }

    /// By section 8.2.1.
    static let subject = name([
        (.RDNAttributeType.countryName, "JP"), (.RDNAttributeType.organizationName, "Fueki"),
        (.RDNAttributeType.organizationalUnitName, "Authenticator Attestation"),
        (.RDNAttributeType.commonName, "Minted for tests"),
    ])

    static func name(_ parts: [(ASN1ObjectIdentifier, String)]) -> DistinguishedName {
        DistinguishedName(
            parts.map { RelativeDistinguishedName([.init(type: $0.0, utf8String: $0.1)]) })
    }

    static func extension_(
        _ identifier: ASN1ObjectIdentifier, _ value: [UInt8], critical: Bool = false
    ) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: critical, value: value[...])
    }
}

extension Certificate {
    var der: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}

extension Certificate.PrivateKey {
    /// Signs with ECDSA with SHA-256 for any curve, unless the key is RSA or Ed25519.
    fileprivate var defaultAlgorithm: Certificate.SignatureAlgorithm {
        if _RSA.Signing.PublicKey(publicKey) != nil { return .sha256WithRSAEncryption }
        if Curve25519.Signing.PublicKey(publicKey) != nil { return .ed25519 }
        return .ecdsaWithSHA256
    }
}
