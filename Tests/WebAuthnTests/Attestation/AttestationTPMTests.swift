internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import SwiftASN1
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

@Suite("TPM attestation")
struct AttestationTPMTests {
    /// A TPM that certifies the credential's key; a test can change a part.
    struct Minted {
        var registration = MintedRegistration()
        let key = P256.Signing.PrivateKey()
        let root: MintedAuthority
        var version: CBOR = "2.0"
        var attributes = "00060472"
        /// The key in the public area, if it is not the credential's.
        var areaKey: P256.Signing.PrivateKey?
        var magic = "ff544347"
        var type = "8017"
        var extraData: [UInt8]?
        var name: [UInt8]?
        var algorithm: CBOR = -7
        var template: MintedAuthority.Template

        init() throws {
            root = try MintedAuthority()
            template = try Self.template()
        }

        var pubArea: [UInt8] {
            let point = Array((areaKey ?? registration.key).publicKey.rawRepresentation)
            return hex("0023 000b" + attributes + "0000 0010 0010 0003 0010") + hex("0020") + point.prefix(32)
                + hex("0020") + point.suffix(32)
        }

        var certInfo: [UInt8] {
            let data = extraData ?? Array(SHA256.hash(data: registration.signedBytes))
            let name = name ?? (hex("000b") + Array(SHA256.hash(data: pubArea)))
            return hex(magic + type + "0000") + [0, UInt8(data.count)] + data + [UInt8](repeating: 0, count: 25)
                + [0, UInt8(name.count)] + name + [0, 0]
        }

        func statement(signed: [UInt8]? = nil) throws -> AttestationStatement {
            try registration.statement(
                "tpm",
                [
                    ("ver", version), ("alg", algorithm), ("certInfo", .bytes(certInfo)),
                    ("sig", .bytes(try key.derSignature(over: signed ?? certInfo))), ("pubArea", .bytes(pubArea)),
                    try MintedRegistration.x5c([try root.issue(template, for: .init(key.publicKey))]),
                ])
        }

        func with(_ change: (inout Minted) throws -> Void) rethrows -> Minted {
            var copy = self
            try change(&copy)
            return copy
        }

        /// By Level 3, section 8.3.1.
        static func template(
            names: [GeneralName] = [directory()], usage: [ASN1ObjectIdentifier] = [TPMCertificate.usage]
        ) throws -> MintedAuthority.Template {
            let usage = try ExtendedKeyUsage(usage.map { ExtendedKeyUsage.Usage(oid: $0) })
            var leaf = try MintedAuthority.leaf([
                try .init(SubjectAlternativeNames(names), critical: true), try .init(usage, critical: false),
            ])
            leaf.subject = DistinguishedName()
            return leaf
        }

        static func directory(
            _ maker: String? = "id:494E5443", model: String? = "Model", version: String? = "id:00000002"
        ) -> GeneralName {
            let parts = [
                (TPMCertificate.manufacturer, maker), (TPMCertificate.model, model), (TPMCertificate.version, version),
            ]
            return .directoryName(MintedAuthority.name(parts.compactMap { part in part.1.map { (part.0, $0) } }))
        }
    }

    @Test("a key that stays in its TPM, certified by it, under a certificate of its attestation key, is accepted")
    func verified() throws {
        let attestation = try Minted().statement().verify()
        #expect(attestation.format == .tpm)
        guard case .certified(let chain) = attestation.kind else {
            Issue.record("not certified")
            return
        }
        #expect(chain.count == 1)
    }

    @Test("the TPM's statement has to be about this key and this registration")
    func broken() throws {
        let good = try Minted()
        let cases: [(Minted, AttestationFlaw)] = [
            (good.with { $0.version = "1.2" }, .malformed),
            (good.with { $0.areaKey = P256.Signing.PrivateKey() }, .wrongKey),
            // Not fixedTPM, not fixedParent, not sensitiveDataOrigin.
            (good.with { $0.attributes = "00060470" }, .tpm(.movableKey)),
            (good.with { $0.attributes = "00060462" }, .tpm(.movableKey)),
            (good.with { $0.attributes = "00060452" }, .tpm(.movableKey)),
            (good.with { $0.magic = "ff544348" }, .tpm(.magic)),
            (good.with { $0.type = "8018" }, .tpm(.type)),
            (good.with { $0.extraData = [UInt8](repeating: 0, count: 32) }, .wrongNonce),
            (good.with { $0.extraData = [] }, .wrongNonce),
            (good.with { $0.extraData = Array(SHA384.hash(data: $0.registration.signedBytes)) }, .wrongNonce),
            (good.with { $0.name = hex("000b") + [UInt8](repeating: 0, count: 32) }, .tpm(.name)),
            (good.with { $0.name = hex("000c") + Array(SHA256.hash(data: $0.pubArea)) }, .tpm(.name)),
            (good.with { $0.name = [] }, .tpm(.name)),
            (good.with { $0.name = [UInt8](repeating: 0, count: 67) }, .tpm(.certification)),
            (good.with { $0.algorithm = -257 }, .wrongAlgorithm),
            (good.with { $0.algorithm = -65535 }, .wrongAlgorithm),
        ]
        for (minted, flaw) in cases {
            #expect(throws: WebAuthnError.attestation(flaw)) { try minted.statement().verify() }
        }
        #expect(throws: WebAuthnError.attestation(.badSignature)) {
            try good.statement(signed: good.registration.signedBytes).verify()
        }
        // The rule about keys that may leave the TPM is the relying party's.
        var rules = AttestationRules.strict
        rules.fixedTPMKeys = false
        #expect(try good.with { $0.attributes = "00040000" }.statement().verify(by: rules).format == .tpm)
    }

    @Test("RSA with SHA-1 is refused, unless the relying party accepts it from TPMs")
    func sha1() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        var minted = try Minted()
        func statement(
            _ minted: Minted, signed: [UInt8]? = nil, for certified: Certificate.PublicKey? = nil
        ) throws -> AttestationStatement {
            let hash = Insecure.SHA1.hash(data: signed ?? minted.certInfo)
            return try minted.registration.statement(
                "tpm",
                [
                    ("ver", "2.0"), ("alg", -65535), ("certInfo", .bytes(minted.certInfo)),
                    ("sig", .bytes(Array(try key.signature(for: hash, padding: .insecurePKCS1v1_5).rawRepresentation))),
                    ("pubArea", .bytes(minted.pubArea)),
                    try MintedRegistration.x5c([
                        try minted.root.issue(minted.template, for: certified ?? .init(key.publicKey))
                    ]),
                ])
        }
        var rules = AttestationRules.strict
        rules.insecureSHA1OfTPMs = true
        // The hash of the attested data uses SHA-1, too.
        #expect(throws: WebAuthnError.attestation(.wrongNonce)) { try statement(minted).verify(by: rules) }
        minted.extraData = Array(Insecure.SHA1.hash(data: minted.registration.signedBytes))
        #expect(try statement(minted).verify(by: rules).format == .tpm)
        #expect(throws: WebAuthnError.attestation(.wrongAlgorithm)) { try statement(minted).verify() }
        #expect(throws: WebAuthnError.attestation(.badSignature)) {
            try statement(minted, signed: minted.registration.signedBytes).verify(by: rules)
        }
        #expect(throws: WebAuthnError.attestation(.wrongAlgorithm)) {
            try statement(minted, for: .init(minted.key.publicKey)).verify(by: rules)
        }
    }

    @Test("a malformed public area is refused")
    func publicArea() throws {
        let good = try Minted()
        let wrong = try good.registration.statement(
            "tpm",
            [
                ("ver", "2.0"), ("alg", -7), ("certInfo", .bytes(good.certInfo)), ("sig", .bytes([])),
                ("pubArea", .bytes(good.pubArea + [0])),
                try MintedRegistration.x5c([try good.root.issue(good.template, for: .init(good.key.publicKey))]),
            ])
        #expect(throws: WebAuthnError.attestation(.tpm(.publicArea))) { try wrong.verify() }
    }

    @Test("the certificate is that of an attestation key: no subject, maker and model, its usage, not an authority")
    func certificate() throws {
        let good = try Minted()
        func template(
            names: [GeneralName] = [Minted.directory()], usage: [ASN1ObjectIdentifier] = [TPMCertificate.usage]
        ) throws -> MintedAuthority.Template { try Minted.template(names: names, usage: usage) }
        let cases: [(MintedAuthority.Template, AttestationFlaw.Requirement)] = [
            (try template().with { ($0.version, $0.extensions) = (.v1, []) }, .version),
            (try template().with { $0.subject = MintedAuthority.subject }, .subject),
            (try template().with { $0.extensions.remove(at: 2) }, .alternativeName),
            (try template(names: [.dnsName("tpm.example")]), .alternativeName),
            (try template(names: [Minted.directory(nil)]), .alternativeName),
            (try template(names: [Minted.directory(model: nil)]), .alternativeName),
            (try template(names: [Minted.directory(version: nil)]), .alternativeName),
            (try template(names: [Minted.directory(), Minted.directory()]), .alternativeName),
            (try template(names: [Minted.directory("id:00000000")]), .manufacturer),
            (try template(names: [Minted.directory("id:FFFFF1D0")]), .manufacturer),
            (try template(names: [Minted.directory("INTC")]), .manufacturer),
            (try template(usage: [[2, 23, 133, 8, 1]]), .extendedKeyUsage),
            (try template().with { $0.extensions.removeLast() }, .extendedKeyUsage),
            (try template().with { $0.extensions.removeFirst() }, .noAuthority),
            (
                try template().with {
                    $0.extensions[0] = try .init(
                        BasicConstraints.isCertificateAuthority(maxPathLength: nil), critical: true)
                }, .noAuthority
            ),
        ]
        for (template, requirement) in cases {
            #expect(throws: WebAuthnError.attestation(.certificate(requirement))) {
                try good.with { $0.template = template }.statement().verify()
            }
        }
        // The rule about makers is the relying party's.
        let nobody = try template(names: [Minted.directory("id:00000000")])
        let rules = AttestationRules(
            manufacturers: [TPMManufacturer(rawValue: 0)], fixedTPMKeys: true, androidKeys: .inHardware)
        #expect(try good.with { $0.template = nobody }.statement().verify(by: rules).format == .tpm)
    }

    @Test("a certificate that names a model counts for that one")
    func model() throws {
        var minted = try Minted()
        let right = MintedAuthority.extension_(AAGUIDExtension.identifier, [0x04, 0x10] + minted.registration.aaguid)
        minted.template.extensions.append(right)
        #expect(try minted.statement().verify().format == .tpm)
        minted.registration.aaguid[0] ^= 1
        #expect(throws: WebAuthnError.attestation(.wrongModel)) { try minted.statement().verify() }
    }
}
