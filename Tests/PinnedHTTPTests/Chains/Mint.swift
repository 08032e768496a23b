import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// Makes certificates. A key comes from its name, so that each run has the same keys.
enum Mint {
    /// A certificate with its key.
    struct Issued: Sendable {
        let certificate: Certificate
        let key: Certificate.PrivateKey

        var der: [UInt8] {
            get throws {
                var serializer = DER.Serializer()
                try serializer.serialize(certificate)
                return serializer.serializedBytes
            }
        }
    }

    /// The contents of a certificate, which a case changes.
    struct Template {
        var subject: DistinguishedName
        var key: Certificate.PrivateKey
        var version = Certificate.Version.v3
        var from = Mint.now - Mint.day
        var until = Mint.now + Mint.day
        var authority: BasicConstraints?
        var usage: KeyUsage?
        var purposes: [ExtendedKeyUsage.Usage]?
        var names: [GeneralName] = []
        var permitted: [GeneralName] = []
        var excluded: [GeneralName] = []
        var more: [Certificate.Extension] = []
        var signature: Certificate.SignatureAlgorithm?

        func extensions() throws -> [Certificate.Extension] {
            var all = more
            if let authority { all.append(try .init(authority, critical: true)) }
            if let usage { all.append(try .init(usage, critical: true)) }
            if let purposes { all.append(try .init(ExtendedKeyUsage(purposes), critical: false)) }
            if !names.isEmpty { all.append(try .init(SubjectAlternativeNames(names), critical: subject.isEmpty)) }
            if !permitted.isEmpty || !excluded.isEmpty {
                all.append(
                    try .init(NameConstraints(permittedSubtrees: permitted, excludedSubtrees: excluded), critical: true)
                )
            }
            return all
        }
    }

    /// The time of the suite: seconds since 1970.
    static let now: UInt64 = 1_900_000_000
    static let day: UInt64 = 86_400

    typealias Change = (inout Template) throws -> Void

    static func root(_ name: String = "Root", _ change: Change = { _ in }) throws -> Issued {
        var template = try authorityTemplate(name)
        try change(&template)
        return try issue(template, by: template.key, named: template.subject)
    }

    static func authority(_ name: String, by issuer: Issued, _ change: Change = { _ in }) throws -> Issued {
        var template = try authorityTemplate(name)
        try change(&template)
        return try issue(template, by: issuer.key, named: issuer.certificate.subject)
    }

    /// A server's certificate, without a subject.
    static func server(_ names: [GeneralName], by issuer: Issued, _ change: Change = { _ in }) throws -> Issued {
        var template = Template(
            subject: DistinguishedName(), key: try key("server"), authority: .notCertificateAuthority,
            usage: KeyUsage(digitalSignature: true), purposes: [.serverAuth], names: names)
        try change(&template)
        return try issue(template, by: issuer.key, named: issuer.certificate.subject)
    }

    private static func authorityTemplate(_ name: String) throws -> Template {
        Template(
            subject: try self.name([(.RDNAttributeType.commonName, name)]), key: try key(name),
            authority: .isCertificateAuthority(maxPathLength: nil), usage: KeyUsage(keyCertSign: true))
    }

    private static func issue(
        _ template: Template, by key: Certificate.PrivateKey, named issuer: DistinguishedName
    ) throws -> Issued {
        let algorithm = try template.signature ?? signature(by: key)
        let certificate = try Certificate(
            version: template.version, serialNumber: .init(bytes: [0x11, 0x22]), publicKey: template.key.publicKey,
            notValidBefore: date(template.from), notValidAfter: date(template.until), issuer: issuer,
            subject: template.subject, signatureAlgorithm: algorithm,
            extensions: Certificate.Extensions(try template.extensions()), issuerPrivateKey: key)
        return Issued(certificate: certificate, key: template.key)
    }

    // MARK: - Keys

    static func key(_ name: String) throws -> Certificate.PrivateKey {
        .init(try P256.Signing.PrivateKey(rawRepresentation: SHA256.hash(data: Data(name.utf8))))
    }

    /// Keys of each supported kind.
    enum Kind: String, CaseIterable, Sendable {
        case p256, p384, p521, ed25519, rsa
    }

    static func key(_ name: String, _ kind: Kind) throws -> Certificate.PrivateKey {
        let seed = Data(SHA512.hash(data: Data(name.utf8)))
        switch kind {
        case .p256: return try key(name)
        case .p384: return .init(try P384.Signing.PrivateKey(rawRepresentation: seed.prefix(48)))
        // 521 bits: the first byte is below the order's.
        case .p521: return .init(try P521.Signing.PrivateKey(rawRepresentation: Data([0, 0]) + seed))
        case .ed25519: return .init(try Curve25519.Signing.PrivateKey(rawRepresentation: seed.prefix(32)))
        case .rsa: return try rsa.get()
        }
    }

    /// One key for all, because making one takes long.
    private static let rsa = Result<Certificate.PrivateKey, any Error> {
        .init(try _RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    private static func signature(by key: Certificate.PrivateKey) throws -> Certificate.SignatureAlgorithm {
        if _RSA.Signing.PublicKey(key.publicKey) != nil { return .sha256WithRSAEncryption }
        return Curve25519.Signing.PublicKey(key.publicKey) != nil ? .ed25519 : .ecdsaWithSHA256
    }

    // MARK: - Names

    static func date(_ seconds: UInt64) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }

    static func name(_ parts: [(ASN1ObjectIdentifier, String)]) throws -> DistinguishedName {
        DistinguishedName(parts.map { RelativeDistinguishedName([.init(type: $0.0, utf8String: $0.1)]) })
    }

    static func extension_(
        _ identifier: ASN1ObjectIdentifier, _ value: [UInt8], critical: Bool = false
    ) -> Certificate.Extension {
        Certificate.Extension(oid: identifier, critical: critical, value: value[...])
    }
}

/// Short forms for the tables of cases.
func dns(_ names: String...) -> [GeneralName] { names.map { .dnsName($0) } }
func mail(_ names: String...) -> [GeneralName] { names.map { .rfc822Name($0) } }
func uri(_ names: String...) -> [GeneralName] { names.map { .uniformResourceIdentifier($0) } }
func address(_ bytes: UInt8...) -> [GeneralName] { [.ipAddress(ASN1OctetString(contentBytes: bytes[...]))] }

/// The address ::1 as the bytes of IPv6, followed by more bytes.
func loopback6(_ more: [UInt8] = []) -> [GeneralName] {
    [.ipAddress(ASN1OctetString(contentBytes: (Array(repeating: 0, count: 15) + [1] + more)[...]))]
}

/// A directory name of organizations and units: `O=…` first.
func directory(_ organization: String, _ unit: String? = nil) -> DistinguishedName {
    let parts: [(ASN1ObjectIdentifier, String)] =
        [(.RDNAttributeType.organizationName, organization)]
        + (unit.map { [(.RDNAttributeType.organizationalUnitName, $0)] } ?? [])
    return DistinguishedName(parts.map { RelativeDistinguishedName([.init(type: $0.0, utf8String: $0.1)]) })
}
