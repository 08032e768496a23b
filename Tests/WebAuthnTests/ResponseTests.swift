internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Responses of clients")
struct ResponseTests {
    @Test("a response survives encoding")
    func roundTrip() throws {
        let ceremonies = try Ceremonies(.packedSelf)
        let registration = try ceremonies.registrationResponse()
        #expect(registration.transports == [.internal, .usb])
        #expect(registration.attachment == .platform)
        #expect(registration.isDiscoverable == true)
        let read = try RegistrationResponse(decoding: registration.json.encoded)
        #expect(read.json == registration.json)
        #expect(read.attestationObject.bytes == CeremonyVector.packedSelf.registration.data)
        let authentication = try ceremonies.authenticationResponse()
        #expect(authentication.userHandle == Ceremonies.user)
        #expect(try AuthenticationResponse(decoding: authentication.json.encoded).json == authentication.json)
        #expect(try ceremonies.authenticationResponse(user: nil).userHandle == nil)
    }

    @Test("a registration response with one error is refused with its name")
    func registration() throws {
        let bytes = try Ceremonies(.none).registrationResponse().json.encoded
        let id = "-R85HbTJsv3g6nAYnLo_tj9Xm6YSKzOtlP8-wzAIS-Q"
        let broken: [(String, String, WebAuthnError.Part)] = [
            (#""type":"public-key""#, #""type":"password""#, .response),
            (#""type":"public-key""#, #""x":1"#, .response),
            (#""id":"#, #""ix":"#, .response), (#""rawId":"#, #""rawIx":"#, .response),
            (#""rawId":"\#(id)""#, #""rawId":"AQID""#, .response), (id, id + "=", .credentialID),
            (id, "", .credentialID),
            (#""response":{"#, #""respons":{"#, .response), (#""clientDataJSON":"#, #""clientData":"#, .response),
            (#""clientDataJSON":""#, #""clientDataJSON":"*"#, .response),
            (#""attestationObject":"#, #""attestation":"#, .response),
            (#""transports":["internal","usb"]"#, #""transports":"usb""#, .response),
            (#""transports":["internal","usb"]"#, #""transports":[1]"#, .response),
            (#""authenticatorAttachment":"platform""#, #""authenticatorAttachment":"other""#, .response),
            (#""clientExtensionResults":{"credProps":{"rk":true}}"#, #""clientExtensionResults":[]"#, .response),
            (#""credProps":{"rk":true}"#, #""credProps":true"#, .response), (#""rk":true"#, #""rk":1"#, .response),
        ]
        for (part, other, error) in broken {
            #expect(throws: WebAuthnError.malformed(error), "\(other)") {
                try RegistrationResponse(decoding: bytes.replacing(part, by: other))
            }
        }
        for (part, other) in [
            (#""clientExtensionResults":{"credProps":{"rk":true}}"#, #""x":1"#), (#"{"rk":true}"#, "{}"),
            (#""credProps""#, #""other""#),
        ] {
            #expect(try RegistrationResponse(decoding: bytes.replacing(part, by: other)).isDiscoverable == nil)
        }
        #expect(try RegistrationResponse(decoding: bytes.replacing(#""transports""#, by: #""t""#)).transports == [])
        let names = (0...WebAuthnLimits.transports).map { "\"t\($0)\"" }.joined(separator: ",")
        #expect(throws: WebAuthnError.malformed(.response)) {
            try RegistrationResponse(decoding: bytes.replacing(#""internal","usb""#, by: names))
        }
    }

    @Test("an authentication response with one error is refused with its name")
    func authentication() throws {
        let bytes = try Ceremonies(.none).authenticationResponse().json.encoded
        let handle = #""userHandle":"AQEBAQEBAQEBAQEBAQEBAQ""#
        let broken: [(String, String, WebAuthnError.Part)] = [
            (#""type":"public-key""#, #""type":"password""#, .response), (#""rawId":"#, #""rawIx":"#, .response),
            (#""response":{"#, #""respons":{"#, .response), (#""clientDataJSON":"#, #""clientData":"#, .response),
            (#""authenticatorData":"#, #""authData":"#, .response), (#""signature":"#, #""sig":"#, .response),
            (#""signature":""#, #""signature":"="#, .response), (handle, #""userHandle":"""#, .userHandle),
            (handle, #""userHandle":7"#, .userHandle),
            (handle, #""userHandle":"\#(String(repeating: "AAAA", count: 22))""#, .userHandle),
            (#""clientExtensionResults":{}"#, #""clientExtensionResults":null"#, .response),
        ]
        for (part, other, error) in broken {
            #expect(throws: WebAuthnError.malformed(error), "\(other)") {
                try AuthenticationResponse(decoding: bytes.replacing(part, by: other))
            }
        }
        for missing in [#""userHandle":null"#, #""other":1"#] {
            #expect(try AuthenticationResponse(decoding: bytes.replacing(handle, by: missing)).userHandle == nil)
        }
    }

    @Test("malformed JSON, a repeated name, left-over bytes, and more bytes or nesting than the limits are refused")
    func json() throws {
        let bytes = try Ceremonies(.none).authenticationResponse().json.encoded
        let deep = String(repeating: "[", count: 12) + String(repeating: "]", count: 12)
        for wrong in [
            [], Array("[]".utf8), Array("null".utf8), bytes + [0x7d], bytes.dropLast(),
            bytes.replacing(#""type":"#, by: #""type":"public-key","type":"#),
            bytes.replacing(#""type":"#, by: #""deep":\#(deep),"type":"#),
            bytes + [UInt8](repeating: 0x20, count: WebAuthnLimits.responseBytes),
        ] as [[UInt8]] {
            #expect(throws: WebAuthnError.malformed(.response)) { try AuthenticationResponse(decoding: wrong) }
            #expect(throws: WebAuthnError.malformed(.response)) { try RegistrationResponse(decoding: wrong) }
        }
    }

    @Test("any response is read without a trap, and survives another encoding")
    func fuzz() throws {
        let ceremonies = try Ceremonies(.packedSelf)
        let seeds = try [
            ceremonies.registrationResponse().json.encoded, ceremonies.authenticationResponse().json.encoded,
        ]
        let registration = try ceremonies.registration()
        let (authentication, record) = (try ceremonies.authentication(), try ceremonies.record())
        Fuzz.mutations(of: seeds, iterations: 6_000) { (bytes) throws in
            if let response = try? RegistrationResponse(decoding: bytes) {
                #expect(try RegistrationResponse(decoding: response.json.encoded).json == response.json)
                _ = try? registration.verify(response, at: Ceremonies.now)
            }
            if let response = try? AuthenticationResponse(decoding: bytes) {
                #expect(try AuthenticationResponse(decoding: response.json.encoded).json == response.json)
                _ = try? authentication.verify(response, with: record)
            }
        }
    }
}
