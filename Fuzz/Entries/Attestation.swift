internal import Crypto
internal import Encoding
internal import Foundation
internal import SwiftASN1
internal import X509

@testable internal import WebAuthn

extension FuzzEntry {
    /// Attestation objects with the statements of every format, certificates, and the lists of trusted attesters.
    static let attestation: [FuzzEntry] = [
        FuzzEntry("attestation-object", seeds: try SeedAttestation.made.value.objects) { input in
            let object = try AttestationObject(decoding: input)
            _ = try? AttestationStatement(of: object, clientDataHash: SeedAttestation.clientDataHash).verify()
            return object.bytes
        },
        FuzzEntry("certificate", seeds: try SeedAttestation.made.value.certificates) { input in
            guard let certificate = Certificate.reading(der: input) else { return nil }
            _ = try? certificate.checkModel(is: .zero)
            _ = try? TPMCertificate.check(certificate, manufacturers: TPMManufacturer.registered)
            _ = try? certificate.attestationKey()
            _ = certificate.mayIssue(above: 0)
            let anchor = try TrustAnchor(der: SeedAttestation.made.value.root).required()
            _ = try? CertificatePath(certificates: [certificate]).anchor(among: [anchor], at: SeedPasskey.now)
            return input
        },
        FuzzEntry("android-key-description", seeds: [SeedAttestation.androidDescription]) { input in
            _ = try AndroidKeyDescription(derEncoded: input[...])
            return input
        },
        FuzzEntry("apple-nonce", seeds: [SeedAttestation.appleNonce]) { input in
            AppleNonce.bytes(of: input[...]) == nil ? nil : input
        },
        FuzzEntry("aaguid-extension", seeds: [SeedAttestation.modelExtension]) { input in
            AAGUIDExtension.bytes(of: input[...]) == nil ? nil : input
        },
        FuzzEntry(
            "tpm-certification",
            seeds: [SeedAttestation.certification(of: [1], naming: [0, 11] + [UInt8](repeating: 2, count: 32))]
        ) { input in
            _ = try TPMCertification(decoding: input)
            return input
        },
        FuzzEntry("tpm-public-area", seeds: [try SeedAttestation.publicArea(), SeedAttestation.rsaArea]) { input in
            let area = try TPMPublicArea(decoding: input)
            precondition(
                area.name.dropFirst(2).elementsEqual(area.nameAlgorithm.digest(of: input)), "the name of other bytes")
            return input
        },
        FuzzEntry("metadata", texts: SeedAttestation.metadata) { text in
            _ = try MetadataBLOB(payload: Array(text.utf8))
            return text
        },
        FuzzEntry("metadata-file", seeds: [try SeedAttestation.made.value.metadataFile]) { input in
            let anchor = try TrustAnchor(der: SeedAttestation.made.value.root).required()
            _ = try MetadataBLOB(
                verifying: input, roots: [anchor], signer: MetadataBLOB.service, atLeast: 0, at: SeedPasskey.now)
            return input
        },
        FuzzEntry(
            "android-revocation",
            texts: [
                #"{"entries": {"c35747a084470c31": {"status": "REVOKED", "reason": "KEY_COMPROMISE"}, "1": {"status": "SUSPENDED"}}}"#
            ]
        ) { text in
            _ = try AndroidRevocationList(decoding: Array(text.utf8))
            return text
        },
    ]
}

/// An authority, and one statement of each format about the passkey of ``SeedPasskey``. Every statement verifies.
struct SeedAttestation: Sendable {
    static let made = Once { try SeedAttestation() }
    static let clientDataHash = Array(SHA256.hash(data: Array("client data".utf8)))

    let root: [UInt8]
    let certificates: [[UInt8]]
    let objects: [[UInt8]]
    let metadataFile: [UInt8]

    // MARK: Structures

    private static let aaguid = [UInt8](repeating: 7, count: 16)
    static let modelExtension = [0x04, 0x10] + aaguid

    /// The extension `SEQUENCE { [1] EXPLICIT OCTET STRING }`.
    static let appleNonce = nonceExtension([UInt8](repeating: 3, count: 32))

    private static func nonceExtension(_ nonce: [UInt8]) -> [UInt8] { [0x30, 36, 0xa1, 34, 0x04, 32] + nonce }

    /// A description of version 300, in a trusted environment; the key signs, and was generated there.
    static let androidDescription: [UInt8] = {
        let head: [UInt8] = [0x02, 2, 1, 0x2c, 0x0a, 1, 1, 0x02, 2, 1, 0x2c, 0x0a, 1, 1]
        let hardware: [UInt8] = [0xa1, 5, 0x31, 3, 2, 1, 2, 0xbf, 0x85, 0x3e, 3, 2, 1, 0]
        let content = head + [0x04, 32] + clientDataHash + [0x04, 0, 0x30, 0, 0x30, UInt8(hardware.count)] + hardware
        return [0x30, UInt8(content.count)] + content
    }()

    static func publicArea() throws -> [UInt8] {
        let point = Array(try SeedPasskey.key().publicKey.rawRepresentation)
        return [0, 0x23, 0, 0x0b, 0, 6, 4, 0x72, 0, 0, 0, 0x10, 0, 0x10, 0, 3, 0, 0x10, 0, 32] + point.prefix(32) + [
            0, 32,
        ]
            + point.suffix(32)
    }

    static let rsaArea: [UInt8] =
        [0, 1, 0, 0x0b, 0, 6, 4, 0x72, 0, 32] + [UInt8](repeating: 9, count: 32)
        + [0, 0x10, 0, 0x10, 8, 0, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0xc5, count: 256)

    static func certification(of data: [UInt8], naming name: [UInt8]) -> [UInt8] {
        [0xff, 0x54, 0x43, 0x47, 0x80, 0x17, 0, 0, 0, UInt8(data.count)] + data + [UInt8](repeating: 0, count: 25)
            + [0, UInt8(name.count)] + name + [0, 0]
    }

    static let metadata = [
        #"{"legalHeader":"…","no":42,"nextUpdate":"2026-12-01","entries":[]}"#,
        #"{"no":1,"nextUpdate":"2026-12-01","entries":[{"aaguid":"00112233-4455-6677-8899-aabbccddeeff","#
            + #""metadataStatement":{"attestationRootCertificates":["AAAA"],"keyProtection":["hardware"],"matcherProtection":["tee"]},"#
            + #""statusReports":[{"status":"REVOKED","effectiveDate":"2026-01-01","certificate":"AAAA"}]},"#
            + #"{"attestationCertificateKeyIdentifiers":["\#(String(repeating: "7c", count: 20))"]}]}"#,
    ]

    // MARK: Statements

    private init() throws {
        let credential = try SeedPasskey.key()
        let authority = try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 8, count: 32))
        let attester = try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 9, count: 32))
        let issuer = try DistinguishedName([.init(type: .RDNAttributeType.commonName, utf8String: "Root")])
        func certificate(
            _ key: P256.Signing.PublicKey, subject: DistinguishedName, _ extensions: [Certificate.Extension]
        ) throws -> [UInt8] {
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(bytes: [1, 2, 3]), publicKey: .init(key),
                notValidBefore: Date(timeIntervalSince1970: 1_700_000_000),
                notValidAfter: Date(timeIntervalSince1970: 2_000_000_000),
                issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions(extensions), issuerPrivateKey: .init(authority))
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        }
        func leaf(
            _ key: P256.Signing.PublicKey, subject: DistinguishedName? = nil, _ extensions: Certificate.Extension...
        ) throws -> [UInt8] {
            try certificate(
                key, subject: subject ?? Self.subject,
                [
                    .init(BasicConstraints.notCertificateAuthority, critical: true),
                    .init(KeyUsage(digitalSignature: true), critical: true),
                ] + extensions)
        }
        func extension_(_ identifier: ASN1ObjectIdentifier, _ value: [UInt8]) -> Certificate.Extension {
            Certificate.Extension(oid: identifier, critical: false, value: value[...])
        }

        let point = COSEKey(credential.publicKey).encoded
        let data =
            Array(SHA256.hash(data: Array("example.org".utf8))) + [0x45, 0, 0, 0, 0] + Self.aaguid + [0, 20]
            + [UInt8](repeating: 0xc4, count: 20) + point
        let signed = data + Self.clientDataHash
        let hash = Array(SHA256.hash(data: signed))
        let area = try Self.publicArea()
        let certification = Self.certification(of: hash, naming: [0, 0x0b] + Array(SHA256.hash(data: area)))
        let u2f =
            [0] + data.prefix(32) + Self.clientDataHash + [UInt8](repeating: 0xc4, count: 20)
            + Array(credential.publicKey.x963Representation)

        let root = try certificate(
            authority.publicKey, subject: issuer,
            [
                .init(BasicConstraints.isCertificateAuthority(maxPathLength: nil), critical: true),
                .init(KeyUsage(keyCertSign: true), critical: true),
            ])
        let packed = try leaf(attester.publicKey, extension_(AAGUIDExtension.identifier, Self.modelExtension))
        let tpm = try leaf(
            attester.publicKey, subject: DistinguishedName(),
            .init(SubjectAlternativeNames([Self.directory]), critical: true),
            .init(ExtendedKeyUsage([.init(oid: TPMCertificate.usage)]), critical: false))
        let android = try leaf(
            credential.publicKey, extension_(AndroidKeyDescription.identifier, Self.androidDescription))
        let apple = try leaf(credential.publicKey, extension_(AppleNonce.identifier, Self.nonceExtension(hash)))
        let service = try leaf(
            attester.publicKey, .init(SubjectAlternativeNames([.dnsName(MetadataBLOB.service)]), critical: false))

        func signature(_ key: P256.Signing.PrivateKey, _ bytes: [UInt8]) throws -> (CBOR, CBOR) {
            (.text("sig"), .bytes(try key.signature(over: bytes)))
        }
        func chain(_ certificate: [UInt8]) -> (CBOR, CBOR) { (.text("x5c"), .array([.bytes(certificate)])) }
        let algorithm = (CBOR.text("alg"), CBOR(-7))
        let statements: [(String, [(CBOR, CBOR)])] = [
            ("none", []), ("packed", [algorithm, try signature(credential, signed)]),
            ("packed", [algorithm, try signature(attester, signed), chain(packed)]),
            (
                "tpm",
                [
                    (.text("ver"), .text("2.0")), algorithm, try signature(attester, certification), chain(tpm),
                    (.text("certInfo"), .bytes(certification)), (.text("pubArea"), .bytes(area)),
                ]
            ),
            ("android-key", [algorithm, try signature(credential, signed), chain(android)]), ("apple", [chain(apple)]),
            ("fido-u2f", [try signature(attester, u2f), chain(packed)]),
        ]
        objects = try statements.map { format, fields in
            let object = CBOR.map(
                try CBOR.Map([
                    (.text("fmt"), .text(format)), (.text("attStmt"), .map(CBOR.Map(fields))),
                    (.text("authData"), .bytes(data)),
                ])
            ).encoded
            // A statement that the format's procedure refuses at once would be a useless seed.
            _ = try AttestationStatement(of: AttestationObject(decoding: object), clientDataHash: Self.clientDataHash)
                .verify()
            return object
        }
        let header = #"{"alg":"ES256","typ":"JWT","x5c":["\#(Base64.encode(service))"]}"#
        let text = [header, Self.metadata[1]].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let sealed = Array(try attester.signature(for: Array(text.utf8)).rawRepresentation)
        metadataFile = Array("\(text).\(Base64URL.encode(sealed))".utf8)
        self.root = root
        certificates = [root, packed, tpm, android, apple, service]
    }

    /// The subject that section 8.2.1 requires.
    private static let subject = name([
        (.RDNAttributeType.countryName, "JP"), (.RDNAttributeType.organizationName, "Fueki"),
        (.RDNAttributeType.organizationalUnitName, "Authenticator Attestation"), (.RDNAttributeType.commonName, "Made"),
    ])

    private static let directory = GeneralName.directoryName(
        name([
            (TPMCertificate.manufacturer, "id:494E5443"), (TPMCertificate.model, "Model"),
            (TPMCertificate.version, "id:00000002"),
        ]))

    private static func name(_ parts: [(ASN1ObjectIdentifier, String)]) -> DistinguishedName {
        DistinguishedName(parts.map { RelativeDistinguishedName([.init(type: $0.0, utf8String: $0.1)]) })
    }
}
