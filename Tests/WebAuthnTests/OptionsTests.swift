internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Options")
struct OptionsTests {
    private static func creation() throws -> CreationOptions {
        let ceremonies = try Ceremonies(.none)
        return try ceremonies.registration(algorithms: [.es256, .edDSA, .rs256], userVerification: .required).options(
            excluding: [CredentialDescriptor(id: CredentialID([1, 2, 3]), transports: [.hybrid, .internal])],
            residentKey: .required, attestation: .direct, attachment: .crossPlatform, hints: [.securityKey],
            timeout: 300_000)
    }

    private static func request() throws -> RequestOptions {
        try Ceremonies(.none).authentication(
            allowing: [CredentialDescriptor(id: CredentialID([1, 2, 3]), transports: [])], userVerification: .required
        ).options(hints: [.clientDevice], timeout: 60_000)
    }

    @Test("options of a registration, as a browser parses them")
    func creationGolden() throws {
        #expect(
            try Self.creation().json.text == """
                {"rp":{"id":"example.org","name":"Example"},\
                "user":{"id":"AQEBAQEBAQEBAQEBAQEBAQ","name":"ada","displayName":"Ada"},\
                "challenge":"AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA",\
                "pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-8},\
                {"type":"public-key","alg":-257}],\
                "excludeCredentials":[{"type":"public-key","id":"AQID","transports":["hybrid","internal"]}],\
                "authenticatorSelection":{"residentKey":"required","requireResidentKey":true,\
                "userVerification":"required","authenticatorAttachment":"cross-platform"},\
                "hints":["security-key"],"attestation":"direct","extensions":{"credProps":true},"timeout":300000}
                """)
    }

    @Test("options of an authentication, as a browser parses them")
    func requestGolden() throws {
        #expect(
            try Self.request().json.text == """
                {"challenge":"OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag","rpId":"example.org",\
                "allowCredentials":[{"type":"public-key","id":"AQID"}],"userVerification":"required",\
                "hints":["client-device"],"timeout":60000}
                """)
    }

    @Test("options survive encoding")
    func roundTrip() throws {
        let creation = try Self.creation()
        #expect(try CreationOptions(json: JSON(decoding: creation.json.encoded)) == creation)
        let request = try Self.request()
        #expect(try RequestOptions(json: JSON(decoding: request.json.encoded)) == request)
    }

    @Test("omitted members have the specification's defaults")
    func missing() throws {
        let creation = try CreationOptions(
            json: JSON(
                decoding: #"""
                    {"rp":{"id":"example.org","name":"E"},"user":{"id":"AQ","name":"a","displayName":"b"},
                    "challenge":"AAAAAAAAAAAAAAAAAAAAAA","future":{},
                    "pubKeyCredParams":[{"type":"public-key","alg":-53},{"type":"other","alg":-7}]}
                    """#))
        #expect(creation.algorithms.isEmpty)
        #expect(creation.residentKey == .discouraged)
        #expect(creation.userVerification == .preferred)
        #expect(creation.attestation == .none)
        #expect(creation.excluded.isEmpty)
        #expect(creation.timeout == nil)
        let request = try RequestOptions(
            json: JSON(decoding: #"{"rpId":"example.org","challenge":"AAAAAAAAAAAAAAAAAAAAAA","hints":["new",1]}"#))
        #expect(request.userVerification == .preferred)
        #expect(request.allowed.isEmpty)
        #expect(request.hints.isEmpty)
    }

    @Test("options with one error are refused with its name")
    func malformed() throws {
        let creation = try Self.creation().json.encoded
        let request = try Self.request().json.encoded
        let broken: [(String, String, WebAuthnError.Part)] = [
            (#""rp":"#, #""rq":"#, .options), (#""id":"example.org""#, #""id":"example""#, .relyingPartyID),
            (#""user":"#, #""usr":"#, .options), (#""AQEBAQEBAQEBAQEBAQEBAQ""#, #""""#, .userHandle),
            (#""name":"ada""#, #""name":1"#, .options), (#""displayName":"Ada""#, #""x":1"#, .options),
            (#""AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA""#, #""AMMP""#, .challenge),
            (#""alg":-7"#, #""alg":"-7""#, .options), (#""alg":-7"#, #""alg":-7.0"#, .options),
            (#""pubKeyCredParams":["#, #""x":["#, .options), (#""id":"AQID""#, #""id":"AQJ""#, .credentialID),
            (#"{"type":"public-key","id":"AQID""#, #"{"type":"key","id":"AQID""#, .options),
            (#"["hybrid","internal"]"#, #"["hyb rid"]"#, .options), (#"["hybrid","internal"]"#, #""usb""#, .options),
            (#""residentKey":"required""#, #""residentKey":"yes""#, .options),
            (#""userVerification":"required""#, #""userVerification":"Required""#, .options),
            (#""cross-platform""#, "1", .options), (#""attestation":"direct""#, #""attestation":"all""#, .options),
            (#""timeout":300000"#, #""timeout":-1"#, .options), (#""timeout":300000"#, #""timeout":1e3"#, .options),
        ]
        for (part, other, error) in broken {
            #expect(throws: WebAuthnError.malformed(error), "\(other)") {
                try CreationOptions(json: JSON(decoding: creation.replacing(part, by: other)))
            }
        }
        let brokenRequests: [(String, String, WebAuthnError.Part)] = [
            (#""rpId":"#, #""rp":"#, .options), (#""rpId":"example.org""#, #""rpId":"example.org/""#, .relyingPartyID),
            (#""challenge":"OcDn"#, #""challenge":"=OcDn"#, .challenge),
            (#""allowCredentials":[{"#, #""allowCredentials":[1,{"#, .options),
            (#""userVerification":"required""#, #""userVerification":true"#, .options),
            (#""timeout":60000"#, #""timeout":4294967296"#, .options),
        ]
        for (part, other, error) in brokenRequests {
            #expect(throws: WebAuthnError.malformed(error), "\(other)") {
                try RequestOptions(json: JSON(decoding: request.replacing(part, by: other)))
            }
        }
    }

    @Test("a list of credentials is limited")
    func bounded() throws {
        let one = #"{"type":"public-key","id":"AQID"}"#
        func options(_ count: Int) throws -> RequestOptions {
            let list = Array(repeating: one, count: count).joined(separator: ",")
            return try RequestOptions(
                json: JSON(decoding: Self.request().json.encoded.replacing("[\(one)]", by: "[\(list)]")))
        }
        #expect(try options(WebAuthnLimits.listedCredentials).allowed.count == WebAuthnLimits.listedCredentials)
        #expect(throws: WebAuthnError.malformed(.options)) { try options(WebAuthnLimits.listedCredentials + 1) }
    }

    @Test("transports are names: letters, digits and hyphens, known or not")
    func transports() {
        for name in ["usb", "smart-card", "x2"] { #expect(Transport(name)?.name == name) }
        for name in ["", "a b", "usb,nfc", "\"", "é", String(repeating: "a", count: 33), "a@", "a[", "`"] {
            #expect(Transport(name) == nil, "\(name)")
        }
    }

    @Test("any options are read without a trap, and survive another encoding")
    func fuzz() throws {
        let seeds = try [Self.creation().json.encoded, Self.request().json.encoded]
        Fuzz.mutations(of: seeds, iterations: 6_000) { (bytes) throws in
            guard let json = try? JSON(decoding: bytes) else { return }
            if let options = try? CreationOptions(json: json) {
                #expect(try CreationOptions(json: options.json) == options)
            }
            if let options = try? RequestOptions(json: json) {
                #expect(try RequestOptions(json: options.json) == options)
            }
        }
    }
}
