internal import Crypto
internal import Encoding

@testable internal import WebAuthn

extension FuzzEntry {
    /// The options, answers and keys of passkeys.
    static let webAuthn: [FuzzEntry] = [
        FuzzEntry("client-data", texts: SeedPasskey.clientData) { text in
            let data = try CollectedClientData(decoding: Array(text.utf8))
            precondition(data.hash == Array(SHA256.hash(data: Array(text.utf8))), "the hash of other bytes")
            return text
        },
        FuzzEntry("authenticator-data", seeds: try SeedPasskey.authenticatorData()) { input in
            let data = try AuthenticatorData(decoding: input)
            var bytes = data.relyingPartyIDHash + [data.flags.rawValue]
            bytes += withUnsafeBytes(of: data.signCount.bigEndian) { Array($0) }
            if let credential = data.credential {
                let count = credential.id.bytes.count
                bytes += credential.aaguid.bytes + [UInt8(count >> 8), UInt8(count & 255)] + credential.id.bytes
                bytes += credential.publicKey.encoded
            }
            return bytes + (data.extensions.map { CBOR.map($0).encoded } ?? [])
        },
        FuzzEntry("cose-key", seeds: try SeedPasskey.keys()) {
            try COSEKey(CBOR(decoding: COSEKey(decoding: $0).encoded)).encoded
        },
        // White space and escapes may differ in JSON: the decoded value has to encode and decode to itself.
        FuzzEntry("creation-options", texts: [try SeedPasskey.creation().json.text, SeedPasskey.creationOptions]) {
            text in
            let options = try CreationOptions(json: JSON(decoding: text))
            precondition((try? CreationOptions(json: options.json)) == options, "written differently")
            return text
        },
        FuzzEntry("request-options", texts: [try SeedPasskey.request().json.text]) { text in
            let options = try RequestOptions(json: JSON(decoding: text))
            precondition((try? RequestOptions(json: options.json)) == options, "written differently")
            return text
        },
        FuzzEntry(
            "credential-descriptor", texts: [#"{"type":"public-key","id":"AQID","transports":["hybrid","internal"]}"#]
        ) {
            _ = try CredentialDescriptor(json: JSON(decoding: $0))
            return $0
        },
        FuzzEntry("registration-response", texts: [try SeedPasskey.registration().json.text]) { text in
            let response = try RegistrationResponse(decoding: Array(text.utf8))
            let again = try? RegistrationResponse(decoding: response.json.encoded).json
            precondition(again == response.json, "written differently")
            _ = try? SeedPasskey.registering().verify(response, at: SeedPasskey.now)
            return text
        },
        FuzzEntry("authentication-response", texts: [try SeedPasskey.authentication().json.text]) { text in
            let response = try AuthenticationResponse(decoding: Array(text.utf8))
            let again = try? AuthenticationResponse(decoding: response.json.encoded).json
            precondition(again == response.json, "written differently")
            _ = try? SeedPasskey.authenticating().verify(response, with: SeedPasskey.record.value)
            return text
        },
        FuzzEntry(
            "origin",
            texts: [
                "https://example.org", "http://localhost:8420",
                "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 32)),
            ]
        ) {
            _ = try Origin($0)
            return $0
        },
        FuzzEntry("relying-party-id", texts: ["example.org", "localhost", "xn--bcher-kva.example"]) {
            _ = try RelyingPartyID($0)
            return $0
        },
        FuzzEntry("aaguid", texts: ["00112233-4455-6677-8899-aabbccddeeff"]) {
            "\(try AAGUID($0))" == $0.lowercased() ? $0 : ""
        },
    ]
}

/// A passkey whose key is known, with the browser's messages.
enum SeedPasskey {
    /// The time: 22 November 2026.
    static let now: Int64 = 1_795_305_600_000
    private static let challenge = [UInt8](repeating: 0xC3, count: 32)
    private static let id = [UInt8](repeating: 0xc4, count: 20)

    static func key() throws -> P256.Signing.PrivateKey {
        try P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32))
    }

    private static func relyingParty() throws -> RelyingParty {
        try RelyingParty(
            id: RelyingPartyID("example.org"), name: "Example", origins: [Origin("https://example.org")],
            relatedOrigins: [], embedding: .refused)
    }

    private static func user() throws -> UserHandle { try UserHandle([UInt8](repeating: 1, count: 16)) }

    // MARK: Ceremonies

    static func registering() throws -> Registration {
        Registration(
            at: try relyingParty(), of: try User(handle: user(), name: "ada", displayName: "Ada"),
            challenge: try Challenge(challenge), algorithms: COSEAlgorithm.allCases, userVerification: .preferred,
            mediation: .modal,
            attestation: AttestationPolicy(
                formats: Set(AttestationFormat.allCases).subtracting([.unknown]),
                levels: Set(AttestationTrust.Level.allCases), rules: .strict))
    }

    static func authenticating() throws -> Authentication {
        Authentication(
            at: try relyingParty(), challenge: try Challenge(challenge), of: .whoeverAnswers,
            allowing: [CredentialDescriptor(id: try CredentialID(id), transports: [.internal])],
            userVerification: .required,
            backupEligibility: .mustStay)
    }

    static func creation() throws -> CreationOptions {
        try registering().options(
            excluding: [CredentialDescriptor(id: CredentialID([1, 2, 3]), transports: [.hybrid, .internal])],
            residentKey: .required, attestation: .direct, attachment: .crossPlatform, hints: [.securityKey],
            timeout: 300_000)
    }

    static func request() throws -> RequestOptions {
        try authenticating().options(hints: [.clientDevice], timeout: 60_000)
    }

    private static let authenticator = SoftwareAuthenticator(aaguid: .zero, backup: .notEligible)

    static func registration() throws -> RegistrationResponse {
        try authenticator.register(
            creation(), from: Origin("https://example.org"), as: CredentialID(id), with: key(), having: [],
            signCount: 1,
            consent: .verified)
    }

    static func authentication() throws -> AuthenticationResponse {
        try authenticator.authenticate(
            request(), from: Origin("https://example.org"), as: CredentialID(id), of: user(), with: key(), signCount: 2,
            consent: .verified)
    }

    static let record = Once {
        let object = try registration().attestationObject
        return CredentialRecord(
            id: object.credential.id, user: try user(), publicKey: object.credential.publicKey, signCount: 1,
            isUserVerificationInitialized: true, transports: [.internal], isBackupEligible: false, isBackedUp: false,
            aaguid: object.credential.aaguid)
    }

    // MARK: Texts

    private static let members =
        #""challenge":"AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA","origin":"https://example.org""#

    static let clientData = [
        #"{"type":"webauthn.get",\#(members)}"#, #"{"type":"webauthn.create",\#(members),"a":{"b":[1,2]}}"#,
        #"{"type":"webauthn.get",\#(members),"crossOrigin":true,"topOrigin":"https://example.com"}"#,
    ]

    /// Creation options without all optional members.
    static let creationOptions = #"""
        {"rp":{"id":"example.org","name":"E"},"user":{"id":"AQ","name":"a","displayName":"b"},
        "challenge":"AAAAAAAAAAAAAAAAAAAAAA","future":{},
        "pubKeyCredParams":[{"type":"public-key","alg":-53},{"type":"other","alg":-7}]}
        """#

    // MARK: Bytes

    static func authenticatorData() throws -> [[UInt8]] {
        let head = Array(SHA256.hash(data: Array("example.org".utf8)))
        let credential = [UInt8](repeating: 9, count: 16) + [0, 20] + id + COSEKey(try key().publicKey).encoded
        let extensions: [UInt8] = [0xA1, 0x61, 0x61, 0xF5]
        return [
            head + [0x01, 0, 0, 0, 0], head + [0x45, 0, 0, 0, 1] + credential,
            head + [0xdd, 0, 0, 0, 1] + credential + extensions,
            head + [0x81, 0, 0, 1, 0] + extensions,
        ]
    }

    /// Returns a key of each kind.
    static func keys() throws -> [[UInt8]] {
        let p384 = try P384.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 48)).publicKey
        let p521 = try P521.Signing.PrivateKey(rawRepresentation: [0] + [UInt8](repeating: 7, count: 65)).publicKey
        let ed25519 = try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32)).publicKey
        func elliptic(_ algorithm: Int64, _ curve: Int64, _ point: [UInt8]) throws -> [UInt8] {
            let size = point.count / 2
            return CBOR.map(
                try CBOR.Map([
                    (CBOR(1), CBOR(2)), (CBOR(3), CBOR(algorithm)), (CBOR(-1), CBOR(curve)),
                    (CBOR(-2), .bytes(Array(point.prefix(size)))), (CBOR(-3), .bytes(Array(point.suffix(size)))),
                ])
            ).encoded
        }
        let modulus = [0xc5] + [UInt8](repeating: 0xc5, count: 255)
        return [
            COSEKey(try key().publicKey).encoded, try elliptic(-35, 2, Array(p384.rawRepresentation)),
            try elliptic(-36, 3, Array(p521.rawRepresentation)),
            CBOR.map(
                try CBOR.Map([
                    (CBOR(1), CBOR(1)), (CBOR(3), CBOR(-8)), (CBOR(-1), CBOR(6)),
                    (CBOR(-2), .bytes(Array(ed25519.rawRepresentation))),
                ])
            ).encoded,
            CBOR.map(
                try CBOR.Map([
                    (CBOR(1), CBOR(3)), (CBOR(3), CBOR(-257)), (CBOR(-1), .bytes(modulus)),
                    (CBOR(-2), .bytes([1, 0, 1])),
                ])
            ).encoded,
        ]
    }
}
