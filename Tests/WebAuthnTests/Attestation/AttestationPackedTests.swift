internal import Crypto
internal import CryptoExtras
internal import Encoding
internal import SwiftASN1
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

@Suite("Packed attestation with certificates")
struct AttestationPackedTests {
    /// An authenticator that attests with a batch key.
    private struct Batch {
        var registration = MintedRegistration()
        let root: MintedAuthority
        let key = P256.Signing.PrivateKey()
        var algorithm: Int64 = -7

        init() throws { root = try MintedAuthority() }

        func statement(_ template: MintedAuthority.Template) throws -> AttestationStatement {
            try registration.statement(
                "packed",
                [
                    ("alg", CBOR(algorithm)), ("sig", .bytes(try key.derSignature(over: registration.signedBytes))),
                    try MintedRegistration.x5c([try root.issue(template, for: .init(key.publicKey))]),
                ])
        }
    }

    private static func model(_ bytes: [UInt8], critical: Bool = false) -> Certificate.Extension {
        MintedAuthority.extension_(AAGUIDExtension.identifier, bytes, critical: critical)
    }

    @Test("a statement with a chain is verified: the chain is the trust path, unchanged")
    func verified() throws {
        let batch = try Batch()
        let between = try batch.root.authority()
        let template = try MintedAuthority.leaf([Self.model([0x04, 0x10] + batch.registration.aaguid)])
        let chain = [try between.issue(template, for: .init(batch.key.publicKey)), between.certificate]
        let statement = try batch.registration.statement(
            "packed",
            [
                ("alg", -7), ("sig", .bytes(try batch.key.derSignature(over: batch.registration.signedBytes))),
                try MintedRegistration.x5c(chain),
            ])
        #expect(
            try statement.verify()
                == Attestation(format: .packed, kind: .certified(chain), aaguid: batch.registration.model))
    }

    @Test("the certificate has version 3, the format's subject, and is not an authority")
    func requirements() throws {
        let batch = try Batch()
        let good = try MintedAuthority.leaf()
        _ = try batch.statement(good).verify()
        typealias Name = ASN1ObjectIdentifier.RDNAttributeType
        let parts: [(ASN1ObjectIdentifier, String)] = [
            (Name.countryName, "JP"), (Name.organizationName, "Fueki"),
            (Name.organizationalUnitName, "Authenticator Attestation"), (Name.commonName, "Minted for tests"),
        ]
        // Chromium's form of "not an authority", which is not DER, and others, with other meanings.
        func constrained(_ value: String) throws -> MintedAuthority.Template {
            good.with {
                $0.extensions[0] = MintedAuthority.extension_(
                    .X509ExtensionID.basicConstraints, hex(value), critical: true)
            }
        }
        _ = try batch.statement(try constrained("3003010100")).verify()
        var broken: [(MintedAuthority.Template, AttestationFlaw.Requirement)] = [
            (try constrained("30030101ff"), .noAuthority), (try constrained("3003020100"), .noAuthority),
            (try constrained(""), .noAuthority), (try constrained("300000"), .noAuthority),
            (good.with { ($0.version, $0.extensions) = (.v1, []) }, .version),
            (good.with { $0.extensions.removeFirst() }, .noAuthority),
            (try good.with { $0.extensions = try MintedAuthority.authority() }, .noAuthority),
            (good.with { $0.subject = MintedAuthority.name(parts + [parts[2]]) }, .subject),
        ]
        for missing in 0..<4 {
            let others = parts.enumerated().filter { $0.offset != missing }.map(\.element)
            broken.append((good.with { $0.subject = MintedAuthority.name(others) }, .subject))
        }
        for (position, text) in [(0, "JPN"), (1, ""), (2, "authenticator attestation"), (2, "Fueki"), (3, "")] {
            var other = parts
            other[position].1 = text
            broken.append((good.with { $0.subject = MintedAuthority.name(other) }, .subject))
        }
        for (template, requirement) in broken {
            #expect(throws: WebAuthnError.attestation(.certificate(requirement))) {
                try batch.statement(template).verify()
            }
        }
    }

    @Test("a certificate that names a model counts for that one")
    func model() throws {
        var batch = try Batch()
        let right = [0x04, 0x10] + batch.registration.aaguid
        _ = try batch.statement(try MintedAuthority.leaf([Self.model(right)])).verify()
        for wrong in [Self.model(right, critical: true), Self.model(batch.registration.aaguid), Self.model([])] {
            #expect(throws: WebAuthnError.attestation(.certificate(.model))) {
                try batch.statement(try MintedAuthority.leaf([wrong])).verify()
            }
        }
        batch.registration.aaguid[15] ^= 1
        #expect(throws: WebAuthnError.attestation(.wrongModel)) {
            try batch.statement(try MintedAuthority.leaf([Self.model(right)])).verify()
        }
    }

    @Test("the algorithm is that of the certificate's key, which signed these data")
    func signature() throws {
        let batch = try Batch()
        let leaf = try MintedAuthority.leaf()
        for algorithm in [-8, -35, -36, -257, -65535, -9] as [Int64] {
            var other = batch
            other.algorithm = algorithm
            #expect(throws: WebAuthnError.attestation(.wrongAlgorithm)) { try other.statement(leaf).verify() }
        }
        let chain = try MintedRegistration.x5c([try batch.root.issue(leaf, for: .init(batch.key.publicKey))])
        let registration = batch.registration
        for signature in [
            try batch.key.derSignature(over: registration.signedBytes + [0]),
            try batch.key.derSignature(over: registration.authenticatorData),
            // By the credential itself, which would be self attestation.
            try registration.key.derSignature(over: registration.signedBytes),
            Array(try batch.key.signature(for: registration.signedBytes).rawRepresentation), [],
        ] {
            #expect(throws: WebAuthnError.attestation(.badSignature)) {
                try registration.statement("packed", [("alg", -7), ("sig", .bytes(signature)), chain]).verify()
            }
        }
    }

    @Test("batch keys may use each supported algorithm")
    func algorithms() throws {
        let batch = try Batch()
        let registration = batch.registration
        let bytes = registration.signedBytes
        let (p384, p521) = (P384.Signing.PrivateKey(), P521.Signing.PrivateKey())
        let (edwards, rsa) = (Curve25519.Signing.PrivateKey(), try _RSA.Signing.PrivateKey(keySize: .bits2048))
        let signed: [(Int64, Certificate.PublicKey, [UInt8])] = [
            (-35, .init(p384.publicKey), Array(try p384.signature(for: bytes).derRepresentation)),
            (-36, .init(p521.publicKey), Array(try p521.signature(for: bytes).derRepresentation)),
            (-8, .init(edwards.publicKey), Array(try edwards.signature(for: bytes))),
            (
                -257, .init(rsa.publicKey),
                Array(try rsa.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation)
            ),
        ]
        for (algorithm, key, signature) in signed {
            let chain = try MintedRegistration.x5c([try batch.root.issue(try MintedAuthority.leaf(), for: key)])
            let good = try registration.statement(
                "packed", [("alg", CBOR(algorithm)), ("sig", .bytes(signature)), chain])
            #expect(try good.verify().format == .packed)
            let bad = try registration.statement(
                "packed", [("alg", CBOR(algorithm)), ("sig", .bytes(signature.flipping(-1))), chain])
            #expect(throws: WebAuthnError.attestation(.badSignature)) { try bad.verify() }
        }
    }
}
