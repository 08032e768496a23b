internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Attestation objects")
struct AttestationObjectTests {
    private static let none = CeremonyVector.none.registration
    private static let packed = CeremonyVector.packedSelf.registration

    private static func verify(_ object: CBOR, _ clientData: [UInt8]) throws -> Attestation {
        try AttestationStatement(
            of: AttestationObject(decoding: object.encoded),
            clientDataHash: CollectedClientData(decoding: clientData).hash
        ).verify()
    }

    @Test("an object is parsed into its format, its statement and its authenticator data")
    func members() throws {
        let object = try AttestationObject(decoding: Self.packed.data)
        #expect(object.format == "packed")
        #expect(object.statement.entries.map(\.key) == ["alg", "sig"])
        #expect(object.credential.aaguid.description == "df850e09-db6a-fbdf-ab51-697791506cfc")
        #expect(object.credential.publicKey.algorithm == .es256)
        #expect(
            object.authenticatorData.flags == [
                .userPresent, .userVerified, .backupEligible, .backedUp, .attestedCredential,
            ])
        #expect(object.bytes == Self.packed.data)
    }

    @Test("no attestation and self attestation are accepted")
    func verified() throws {
        let none = try Self.verify(CBOR(decoding: Self.none.data), Self.none.clientData)
        #expect(
            none == Attestation(format: .none, kind: .none, aaguid: try AAGUID("8446ccb9-ab1d-b374-750b-2367ff6f3a1f")))
        let packed = try Self.verify(CBOR(decoding: Self.packed.data), Self.packed.clientData)
        #expect(packed.kind == .selfSigned)
        #expect(packed.format == .packed)
    }

    @Test("an object with a missing, wrong or additional member is refused")
    func malformed() throws {
        let object = try CBOR(decoding: Self.none.data)
        for wrong in [
            .array([]), object.with("fmt", nil), object.with("attStmt", nil), object.with("authData", nil),
            object.with("fmt", .bytes([1])), object.with("attStmt", .array([])), object.with("authData", "data"),
            object.with("epAtt", .bool(true)), object.with("fmt", .text(String(repeating: "f", count: 33))),
        ] as [CBOR] {
            #expect(throws: WebAuthnError.malformed(.attestationObject)) {
                try AttestationObject(decoding: wrong.encoded)
            }
        }
        let padding = CBOR.bytes([UInt8](repeating: 0, count: WebAuthnLimits.attestationObjectBytes))
        let long = object.with("attStmt", map([("padding", padding)])).encoded
        for wrong in [Self.none.data + [0], Self.none.data.dropLast(), long] {
            #expect(throws: WebAuthnError.malformed(.attestationObject)) {
                try AttestationObject(decoding: Array(wrong))
            }
        }
    }

    // The order in which Feitian's BioPass keys write it.
    @Test("the three members may be in any order, and none may be repeated")
    func order() throws {
        let object = try CBOR(decoding: Self.packed.data)
        let names: [String] = ["fmt", "attStmt", "authData"]
        func bytes(_ order: [Int]) throws -> [UInt8] {
            try [0xa3]
                + order.flatMap { index in
                    try CBOR.text(names[index]).encoded + #require(object[names[index]]).encoded
                }
        }
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let read = try AttestationObject(decoding: bytes(order))
            #expect(read.format == "packed")
            #expect(read.bytes == (try bytes(order)))
        }
        for order in [[0, 0, 1], [2, 1, 2], [0, 1, 1]] {
            #expect(throws: WebAuthnError.malformed(.attestationObject)) {
                try AttestationObject(decoding: bytes(order))
            }
        }
        // The inner map is ordered: "sig" after "alg".
        guard case .map(let statement)? = object["attStmt"], let data = object["authData"] else { return }
        let head = ["fmt", "packed", "attStmt"].reduce([0xa3]) { $0 + CBOR.text($1).encoded } + [0xa2]
        let tail = CBOR.text("authData").encoded + data.encoded
        let entries = statement.entries.map { $0.key.encoded + $0.value.encoded }
        #expect(head + entries.joined() + tail == Self.packed.data)
        #expect(throws: WebAuthnError.malformed(.attestationObject)) {
            try AttestationObject(decoding: head + entries.reversed().joined() + tail)
        }
    }

    @Test("a registration has to contain a credential")
    func credential() throws {
        let object = try CBOR(decoding: Self.none.data)
        let data = CBOR.bytes(CeremonyVector.none.authentication.data)
        #expect(throws: WebAuthnError.malformed(.authenticatorData)) {
            try AttestationObject(decoding: object.with("authData", data).encoded)
        }
    }

    @Test("unknown formats are refused, and names have to match exactly")
    func formats() throws {
        let object = try CBOR(decoding: Self.none.data)
        for name in ["None", "none ", "", "compound", "android-safetynet"] {
            #expect(throws: WebAuthnError.unsupportedAttestationFormat) {
                try Self.verify(object.with("fmt", .text(name)), Self.none.clientData)
            }
        }
    }

    @Test("the format `none` has an empty statement")
    func noneIsEmpty() throws {
        let object = try CBOR(decoding: Self.none.data)
        #expect(throws: WebAuthnError.attestation(.malformed)) {
            try Self.verify(object.with("attStmt", map([("alg", -7)])), Self.none.clientData)
        }
    }

    @Test("self attestation: the algorithm is the key's, and the signature covers these data and this client data")
    func packedSelf() throws {
        let object = try CBOR(decoding: Self.packed.data)
        guard let statement = object["attStmt"], case .bytes(let signature)? = statement["sig"],
            case .bytes(let data)? = object["authData"]
        else { throw EncodingError.unsupported }
        let broken: [(CBOR, AttestationFlaw)] = [
            (object.with("attStmt", statement.with("alg", nil)), .malformed),
            (object.with("attStmt", statement.with("sig", nil)), .malformed),
            (object.with("attStmt", statement.with("sig", "text")), .malformed),
            (object.with("attStmt", statement.with("ver", "2.0")), .malformed),
            (object.with("attStmt", statement.with("alg", -257)), .wrongAlgorithm),
            (object.with("attStmt", statement.with("alg", -53)), .wrongAlgorithm),
            (object.with("attStmt", statement.with("sig", .bytes(signature.flipping(-1)))), .badSignature),
            (object.with("attStmt", statement.with("sig", .bytes([]))), .badSignature),
            (object.with("authData", .bytes(data.flipping(0))), .badSignature),
            (object.with("authData", .bytes(data.flipping(36))), .badSignature),
        ]
        for (wrong, flaw) in broken {
            #expect(throws: WebAuthnError.attestation(flaw)) { try Self.verify(wrong, Self.packed.clientData) }
        }
        #expect(throws: WebAuthnError.attestation(.badSignature)) {
            try Self.verify(object, Self.none.clientData)
        }
    }

    @Test("any object is read or refused")
    func fuzz() throws {
        let seeds = [Self.none.data, Self.packed.data] + (try CeremonyVector.published().map(\.registration.data))
        let hash = try CollectedClientData(decoding: Self.packed.clientData).hash
        Fuzz.mutations(of: seeds, iterations: 10_000) { bytes in
            guard let object = try? AttestationObject(decoding: bytes) else { return }
            #expect(object.bytes == bytes)
            _ = try? AttestationStatement(of: object, clientDataHash: hash).verify()
        }
    }
}
