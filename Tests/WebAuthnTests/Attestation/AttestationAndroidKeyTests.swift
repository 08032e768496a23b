internal import Crypto
internal import Encoding
internal import TestSupport
internal import Testing
internal import X509

@testable internal import WebAuthn

/// Encodes DER of less than 128 bytes, independently of the library that reads it.
private func der(_ tag: [UInt8], _ content: [UInt8]...) -> [UInt8] {
    let content = content.flatMap { $0 }
    precondition(content.count < 128, "the length would need more than one byte")
    return tag + [UInt8(content.count)] + content
}

@Suite("Android key attestation")
struct AttestationAndroidKeyTests {
    /// A valid description, in which a test can change a field.
    struct Description {
        var attestationLevel: UInt8 = 1
        var keyLevel: UInt8 = 1
        var challenge: [UInt8]
        var software: [[UInt8]] = []
        var hardware: [[UInt8]] = [sign, generated]

        /// `[1] EXPLICIT SET { INTEGER 2 }`, with 3 for "verify", and 3 alone.
        static let sign = hex("a105 3103020102")
        static let signAndVerify = hex("a108 3106020102020103")
        static let verify = hex("a105 3103020103")
        /// `[702] EXPLICIT INTEGER 0`, and 2: imported.
        static let generated = hex("bf853e03 020100")
        static let imported = hex("bf853e03 020102")
        /// `[600] EXPLICIT NULL`.
        static let allApplications = hex("bf845802 0500")
        /// `[704]` in a form outside the schema.
        static let rootOfTrust = hex("bf854005 3003010100")
        /// `[704] EXPLICIT SEQUENCE`: a key, whether the device is locked, its boot state, and in newer versions a
        /// hash.
        static func rootOfTrust(isLocked: Bool = true, state: UInt8 = 0, hasHash: Bool = true) -> [UInt8] {
            let content = hex("0401aa 0101") + [isLocked ? 0xff : 0] + hex("0a01") + [state]
            return der(hex("bf8540"), der([0x30], content, hasHash ? hex("0401bb") : []))
        }

        var encoded: [UInt8] {
            der(
                [0x30], hex("0202012c"), hex("0a01") + [attestationLevel], hex("0202012c"), hex("0a01") + [keyLevel],
                der([0x04], challenge), hex("0400"), der([0x30], software.flatMap { $0 }),
                der([0x30], hardware.flatMap { $0 }))
        }

        func with(_ change: (inout Description) -> Void) -> Description {
            var copy = self
            change(&copy)
            return copy
        }
    }

    private let registration = MintedRegistration()
    private let root: MintedAuthority
    private let right: Description

    init() throws {
        root = try MintedAuthority()
        right = Description(challenge: registration.clientDataHash)
    }

    private static func extension_(_ value: [UInt8]) -> Certificate.Extension {
        MintedAuthority.extension_(AndroidKeyDescription.identifier, value)
    }

    private func statement(
        _ value: [UInt8]?, for key: P256.Signing.PrivateKey? = nil, algorithm: CBOR = -7, below: MintedAuthority? = nil
    ) throws -> AttestationStatement {
        let key = key ?? registration.key
        let leaf = try MintedAuthority.leaf(value.map { [Self.extension_($0)] } ?? [])
        let chain =
            [try (below ?? root).issue(leaf, for: .init(key.publicKey))] + (below.map { [$0.certificate] } ?? [])
        return try registration.statement(
            "android-key",
            [
                ("alg", algorithm), ("sig", .bytes(try key.derSignature(over: registration.signedBytes))),
                try MintedRegistration.x5c(chain),
            ])
    }

    private func rules(_ keys: AttestationRules.AndroidKeys) -> AttestationRules {
        AttestationRules(manufacturers: [], fixedTPMKeys: true, androidKeys: keys)
    }

    @Test("the description in the specification's vector, which has neither origin nor purpose")
    func vector() throws {
        let bytes = hex(
            """
            30350202012c0a01000201000a01000420b435028d7b6a8f83bb461d41c19b053a9d3cdb30351a4f374cd4cde8dbefb606
            040030003000
            """)
        let description = try AndroidKeyDescription(derEncoded: bytes[...])
        #expect(
            description
                == AndroidKeyDescription(
                    attestationSecurityLevel: .software, keySecurityLevel: .software,
                    challenge: hex("b435028d7b6a8f83bb461d41c19b053a9d3cdb30351a4f374cd4cde8dbefb606"),
                    softwareEnforced: .init(), hardwareEnforced: .init()))
    }

    @Test("the needed fields of the lists are read, and the rest is skipped")
    func lists() throws {
        let bytes = right.with {
            $0.software = [Description.allApplications, Description.imported]
            $0.hardware = [Description.signAndVerify, Description.generated, Description.rootOfTrust]
            ($0.attestationLevel, $0.keyLevel) = (2, 1)
        }.encoded
        let description = try AndroidKeyDescription(derEncoded: bytes[...])
        #expect(
            description
                == AndroidKeyDescription(
                    attestationSecurityLevel: .strongBox, keySecurityLevel: .trustedEnvironment,
                    challenge: registration.clientDataHash,
                    softwareEnforced: .init(origin: 2, allApplications: true),
                    hardwareEnforced: .init(purposes: [2, 3], origin: 0)))
    }

    @Test("a key in secure hardware, for signing, generated there, is accepted")
    func verified() throws {
        for rule in [.inHardware, .anywhere, .unstated] as [AttestationRules.AndroidKeys] {
            let attestation = try statement(right.encoded).verify(by: rules(rule))
            #expect(attestation.format == .androidKey)
        }
    }

    @Test("the required contents of the description, by each rule")
    func broken() throws {
        typealias Broken = (Description, [AttestationRules.AndroidKeys], AttestationFlaw)
        let both: [AttestationRules.AndroidKeys] = [.inHardware, .anywhere]
        let all = both + [.unstated]
        let elsewhere = right.with { ($0.software, $0.hardware) = ($0.hardware, []) }
        let cases: [Broken] = [
            (right.with { $0.challenge[0] ^= 1 }, all, .wrongNonce),
            (right.with { $0.challenge.removeLast() }, all, .wrongNonce),
            (right.with { $0.software = [Description.allApplications] }, all, .androidKey(.allApplications)),
            (right.with { $0.hardware.append(Description.allApplications) }, all, .androidKey(.allApplications)),
            (right.with { $0.hardware[1] = Description.imported }, all, .androidKey(.origin)),
            (right.with { $0.hardware.removeLast() }, both, .androidKey(.origin)),
            (right.with { $0.hardware[0] = Description.verify }, all, .androidKey(.purpose)),
            (right.with { $0.hardware[0] = Description.signAndVerify }, all, .androidKey(.purpose)),
            (right.with { $0.hardware.removeFirst() }, both, .androidKey(.purpose)),
            (right.with { $0.attestationLevel = 0 }, [.inHardware], .androidKey(.software)),
            (right.with { $0.keyLevel = 0 }, [.inHardware], .androidKey(.software)),
            (elsewhere, [.inHardware], .androidKey(.origin)),
            // Where both lists count, they must not contradict each other.
            (right.with { $0.software = [Description.imported] }, [.anywhere, .unstated], .androidKey(.origin)),
            (right.with { $0.software = [Description.verify] }, [.anywhere, .unstated], .androidKey(.purpose)),
        ]
        for (description, refusing, flaw) in cases {
            for rule in all where refusing.contains(rule) {
                #expect(throws: WebAuthnError.attestation(flaw)) {
                    try statement(description.encoded).verify(by: rules(rule))
                }
            }
        }
        // Descriptions that only the stricter rule refuses.
        #expect(try statement(elsewhere.encoded).verify(by: rules(.anywhere)).format == .androidKey)
        let silent = right.with { $0.hardware = [] }
        #expect(try statement(silent.encoded).verify(by: rules(.unstated)).format == .androidKey)
    }

    @Test("a certificate without a description, or with a malformed one, is refused")
    func missing() throws {
        #expect(throws: WebAuthnError.attestation(.certificate(.missingExtension))) { try statement(nil).verify() }
        let good = right.encoded
        let twice = right.with { $0.hardware.append(Description.generated) }.encoded
        let unknownLevel = right.with { $0.keyLevel = 3 }.encoded
        let untagged = right.with { $0.hardware.append(hex("020100")) }.encoded
        let twoValues = right.with { $0.hardware[1] = hex("bf853e06 020100 020100") }.encoded
        let universal = right.with { $0.hardware.append(hex("3003 020100")) }.encoded
        for wrong in [
            [], good + [0], Array(good.dropLast()), twice, unknownLevel, untagged, universal, twoValues, hex("3000"),
        ] {
            #expect(throws: WebAuthnError.attestation(.certificate(.malformedExtension))) {
                try statement(wrong).verify()
            }
        }
    }

    @Test("the certificate's key has to be the credential's, and to have signed these data")
    func key() throws {
        #expect(throws: WebAuthnError.attestation(.wrongKey)) {
            try statement(right.encoded, for: P256.Signing.PrivateKey()).verify()
        }
        #expect(throws: WebAuthnError.attestation(.wrongAlgorithm)) {
            try statement(right.encoded, algorithm: -257).verify()
        }
        let leaf = try MintedAuthority.leaf([Self.extension_(right.encoded)])
        let chain = [try root.issue(leaf, for: .init(registration.key.publicKey))]
        let wrong = try registration.statement(
            "android-key",
            [
                ("alg", -7), ("sig", .bytes(try registration.key.derSignature(over: registration.clientDataHash))),
                try MintedRegistration.x5c(chain),
            ])
        #expect(throws: WebAuthnError.attestation(.badSignature)) { try wrong.verify() }
    }

    @Test("an app's own key with a description of the key store cannot sign certificates for others")
    func signedByApp() throws {
        let app = try root.authority(
            .init(extensions: try MintedAuthority.authority() + [Self.extension_(right.encoded)]))
        #expect(throws: WebAuthnError.attestation(.androidKey(.signedByApp))) {
            try statement(right.encoded, below: app).verify()
        }
        #expect(try statement(right.encoded, below: try root.authority()).verify().format == .androidKey)
    }

    @Test("any description is parsed or refused with the same error")
    func fuzz() {
        let rich = right.with {
            $0.software = [Description.allApplications, Description.imported]
            $0.hardware = [Description.signAndVerify, Description.generated, Description.rootOfTrust]
        }
        Fuzz.mutations(of: [right.encoded, rich.encoded]) { bytes in
            _ = try? AndroidKeyDescription(derEncoded: bytes[...])
            _ = AppleNonce.bytes(of: bytes[...])
            _ = AAGUIDExtension.bytes(of: bytes[...])
        }
    }
}
