internal import AuthAPI
internal import Crypto
internal import Encoding
internal import Foundation
internal import SwiftASN1
internal import TestSupport
internal import Testing
internal import WebAuthn
internal import X509

/// A maker of authenticators: a root certificate, and attestations under it for registrations of an ``Authenticator``.
struct Maker: Sendable {
    private let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    private let root: Certificate

    /// The kind of attestation.
    enum Format: Sendable {
        /// With the certificate of a batch key. It does not tell where the credential's key is kept.
        case packed
        /// As Android's key store on a locked device.
        ///
        /// - Parameter level: 1 for the trusted execution environment, 0 for software.
        case android(level: UInt8)
    }

    init(named name: String = "Maker") throws {
        let subject = try DistinguishedName([.init(type: .RDNAttributeType.commonName, utf8String: name)])
        root = try Self.certificate(
            subject, for: key.publicKey, by: (subject, key),
            [
                try .init(BasicConstraints.isCertificateAuthority(maxPathLength: nil), critical: true),
                try .init(KeyUsage(keyCertSign: true), critical: true),
            ])
    }

    /// The root in PEM form.
    var pem: String { get throws { try root.serializeAsPEM().pemString } }

    /// Attests a registration: replaces the statement of a response by one of this maker's.
    ///
    /// - Parameters:
    ///   - key: the credential's key.
    ///   - above: the certificates after the first one.
    /// - Returns: the response, and the serial number of the certificate in hexadecimal digits.
    func attest(
        _ response: JSON, of key: P256.Signing.PrivateKey, as format: Format = .android(level: 1), above: [[UInt8]] = []
    ) throws -> (response: JSON, serial: String) {
        let inner = try #require(response["response"])
        let object = try CBOR(decoding: Base64URL.decode(try #require(inner["attestationObject"]?.string)))
        guard case .bytes(let data)? = object["authData"] else { throw EncodingError.unsupported }
        let clientData = try Base64URL.decode(try #require(inner["clientDataJSON"]?.string))
        let hash = Array(SHA256.hash(data: clientData))
        let signer: P256.Signing.PrivateKey
        let name: String
        var extensions: [Certificate.Extension] = [
            try .init(BasicConstraints.notCertificateAuthority, critical: true),
            try .init(KeyUsage(digitalSignature: true), critical: true),
        ]
        switch format {
        case .packed: (signer, name) = (P256.Signing.PrivateKey(), "packed")
        case .android(let level):
            (signer, name) = (key, "android-key")
            extensions.append(
                Certificate.Extension(
                    oid: [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17], critical: false,
                    value: Self.description(level: level, challenge: hash)[...]))
        }
        let leaf = try Self.certificate(
            Self.subject, for: Certificate.PublicKey(signer.publicKey), by: (root.subject, self.key), extensions)
        let statement = try CBOR.Map([
            (.text("alg"), CBOR(-7)),
            (.text("sig"), .bytes(Array(try signer.signature(for: data + hash).derRepresentation))),
            (.text("x5c"), .array([.bytes(try leaf.der)] + above.map(CBOR.bytes))),
        ])
        let attested = CBOR.map(
            try CBOR.Map([
                (.text("fmt"), .text(name)), (.text("attStmt"), .map(statement)), (.text("authData"), .bytes(data)),
            ]))
        return (
            try response.setting("response", "attestationObject", to: .string(Base64URL.encode(attested.encoded))),
            hex(Array(leaf.serialNumber.bytes))
        )
    }

    /// By WebAuthn Level 3, section 8.2.1.
    private static var subject: DistinguishedName {
        let parts: [(ASN1ObjectIdentifier, String)] = [
            (.RDNAttributeType.countryName, "JP"), (.RDNAttributeType.organizationName, "Fueki"),
            (.RDNAttributeType.organizationalUnitName, "Authenticator Attestation"),
            (.RDNAttributeType.commonName, "Minted for tests"),
        ]
        return DistinguishedName(
            parts.map { RelativeDistinguishedName([.init(type: $0.0, utf8String: $0.1)]) })
    }

    private static func certificate(
        _ subject: DistinguishedName, for key: Certificate.PublicKey,
        by issuer: (name: DistinguishedName, key: Certificate.PrivateKey), _ extensions: [Certificate.Extension]
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key,
            notValidBefore: Date(timeIntervalSince1970: 1_700_000_000),
            notValidAfter: Date(timeIntervalSince1970: 2_000_000_000), issuer: issuer.name, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: try Certificate.Extensions(extensions),
            issuerPrivateKey: issuer.key)
    }

    /// Returns a `KeyDescription` of a signing key on a locked device with its maker's system.
    private static func description(level: UInt8, challenge: [UInt8]) -> [UInt8] {
        var list = hex("a105 3103020102 bf853e03 020100")
        list += hex("bf85400b 3009 0401aa 0101ff 0a0100")
        var content = hex("0202012c 0a01")
        content.append(level)
        content += hex("0202012c 0a01")
        content.append(level)
        content += [0x04, UInt8(challenge.count)]
        content += challenge
        content += hex("0400 3000")
        content += [0x30, UInt8(list.count)]
        content += list
        return [0x30, UInt8(content.count)] + content
    }
}

extension Certificate {
    fileprivate var der: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}
