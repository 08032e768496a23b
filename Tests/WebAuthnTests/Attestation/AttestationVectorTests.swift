internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

extension AttestationRules {
    /// The exceptions that the specification's vectors need: a TPM without a maker, whose key may be moved, and an
    /// Android key without a description.
    static let vectors = AttestationRules(
        manufacturers: [TPMManufacturer(rawValue: 0)], fixedTPMKeys: false, androidKeys: .unstated)
}

/// The published attestations of section 16, and their root.
@Suite("Attestations of the specification")
struct AttestationVectorTests {
    /// 22 November 2026.
    private static let now: Int64 = 1_795_305_600_000

    private static func vector(_ id: String) throws -> CeremonyVector {
        try #require(try CeremonyVector.published().first { $0.id == id })
    }

    private static func statement(
        _ vector: CeremonyVector, _ change: (CBOR) -> CBOR = { $0 }
    ) throws -> AttestationStatement {
        let object = try CBOR(decoding: vector.registration.data)
        let statement = try #require(object["attStmt"])
        return AttestationStatement(
            of: try AttestationObject(decoding: object.with("attStmt", change(statement)).encoded),
            clientDataHash: try CollectedClientData(decoding: vector.registration.clientData).hash)
    }

    private static let certified: [(String, AttestationFormat)] = [
        ("packed-es256", .packed), ("packed-es384", .packed), ("packed-es512", .packed), ("packed-rs256", .packed),
        ("packed-eddsa", .packed), ("tpm-es256", .tpm), ("android-key-es256", .androidKey), ("apple-es256", .apple),
        ("fido-u2f-es256", .fidoU2F),
    ]

    @Test("every attestation with a certificate is verified, and leads to the root", arguments: certified)
    func anchored(_ id: String, _ format: AttestationFormat) throws {
        let root = try CeremonyVector.root()
        let attestation = try Self.statement(try Self.vector(id)).verify(by: .vectors)
        #expect(attestation.format == format)
        guard case .certified(let certificates) = attestation.kind else {
            Issue.record("not certified: \(attestation.kind)")
            return
        }
        #expect(certificates.count == 1)
        let anchor = try CertificatePath(certificates: certificates).anchor(
            among: [root], handling: format.handledExtensions, at: Self.now)
        #expect(anchor == root)
        #expect(throws: ChainFault.noAnchor) {
            try CertificatePath(certificates: certificates).anchor(
                among: [], handling: format.handledExtensions, at: Self.now)
        }
    }

    @Test("no attestation is valid for another registration", arguments: certified)
    func otherClientData(_ id: String, _ format: AttestationFormat) throws {
        let vector = try Self.vector(id)
        let object = try AttestationObject(decoding: vector.registration.data)
        let statement = AttestationStatement(of: object, clientDataHash: [UInt8](repeating: 7, count: 32))
        let flaw: AttestationFlaw =
            switch format {
            case .tpm, .apple: .wrongNonce
            default: .badSignature
            }
        #expect(throws: WebAuthnError.attestation(flaw)) { try statement.verify(by: .vectors) }
    }

    @Test("strict rules refuse a TPM without maker, a key that may leave it, and an Android key without description")
    func strict() throws {
        let tpm = try Self.statement(try Self.vector("tpm-es256"))
        #expect(throws: WebAuthnError.attestation(.tpm(.movableKey))) { try tpm.verify() }
        var rules = AttestationRules.vectors
        rules.manufacturers = TPMManufacturer.registered
        #expect(throws: WebAuthnError.attestation(.certificate(.manufacturer))) { try tpm.verify(by: rules) }
        let android = try Self.statement(try Self.vector("android-key-es256"))
        #expect(throws: WebAuthnError.attestation(.androidKey(.software))) { try android.verify() }
        rules.androidKeys = .anywhere
        #expect(throws: WebAuthnError.attestation(.androidKey(.origin))) { try android.verify(by: rules) }
    }

    @Test("U2F may name a model, and does in the vector")
    func modelOfU2F() throws {
        let attestation = try Self.statement(try Self.vector("fido-u2f-es256")).verify()
        #expect(attestation.aaguid.description == "afb3c2ef-c054-df42-5013-d5c88e79c3c1")
    }

    @Test("a statement with a missing, wrong or additional field is refused", arguments: certified)
    func malformed(_ id: String, _ format: AttestationFormat) throws {
        let vector = try Self.vector(id)
        let fields: [CBOR] =
            switch format {
            case .none, .unknown: []
            case .packed, .androidKey: ["alg", "sig", "x5c"]
            case .tpm: ["ver", "alg", "sig", "x5c", "certInfo", "pubArea"]
            case .apple: ["x5c"]
            case .fidoU2F: ["sig", "x5c"]
            }
        for field in fields where format != .packed || field != "x5c" {
            for value in [nil, .null] as [CBOR?] {
                #expect(throws: WebAuthnError.attestation(.malformed), "\(field)") {
                    try Self.statement(vector) { $0.with(field, value) }.verify(by: .vectors)
                }
            }
        }
        for chain in [CBOR.array([]), .array([.null]), .array(Array(repeating: .bytes([0x30]), count: 9))] {
            #expect(throws: WebAuthnError.attestation(.malformed)) {
                try Self.statement(vector) { $0.with("x5c", chain) }.verify(by: .vectors)
            }
        }
        #expect(throws: WebAuthnError.attestation(.malformed)) {
            try Self.statement(vector) { $0.with("more", .null) }.verify(by: .vectors)
        }
        #expect(throws: WebAuthnError.attestation(.unreadableCertificate)) {
            try Self.statement(vector) { $0.with("x5c", .array([.bytes([0x30, 0x00])])) }.verify(by: .vectors)
        }
    }

    @Test("an Ed448 key is reported as unsupported")
    func ed448() throws {
        let vector = try Self.vector("packed-ed448")
        #expect(throws: WebAuthnError.unsupportedAlgorithm(-53)) {
            try AttestationObject(decoding: vector.registration.data)
        }
    }
}
