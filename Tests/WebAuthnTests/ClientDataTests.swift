internal import Crypto
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Client data")
struct ClientDataTests {
    private static let challenge = "AMMPt4UxxGTStncdq417YDwBFi8vpIa-pw8oOuVW4TA"

    private static func bytes(_ more: String = "", type: String = "webauthn.get") -> [UInt8] {
        Array(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"https://example.org"\#(more)}"#.utf8)
    }

    @Test("the members are read, and the hash covers the bytes")
    func members() throws {
        let data = try CollectedClientData(
            decoding: Self.bytes(#","crossOrigin":true,"topOrigin":"https://example.com""#))
        #expect(data.type == .get)
        #expect(hex(data.challenge) == "00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130")
        #expect(data.origin == "https://example.org")
        #expect(data.crossOrigin)
        #expect(data.topOrigin == "https://example.com")
        let short = try CollectedClientData(decoding: Self.bytes(type: "webauthn.create"))
        #expect(short.type == .create)
        #expect(!short.crossOrigin)
        #expect(short.topOrigin == nil)
        #expect(try CollectedClientData(decoding: Self.bytes(type: "payment.get")).type == nil)
        #expect(short.hash == Array(SHA256.hash(data: Self.bytes(type: "webauthn.create"))))
    }

    @Test("unknown members of any kind are ignored")
    func unknown() throws {
        let data = try CollectedClientData(
            decoding: Self.bytes(#","tokenBinding":{"status":"supported"},"x":[1,null,"é"],"hash":"SHA-256""#))
        #expect(data.type == .get)
    }

    @Test("one byte order mark is skipped for reading, and included in the hash")
    func byteOrderMark() throws {
        let marked = [0xef, 0xbb, 0xbf] + Self.bytes()
        let data = try CollectedClientData(decoding: marked)
        #expect(data.origin == "https://example.org")
        #expect(data.hash == Array(SHA256.hash(data: marked)))
        #expect(throws: WebAuthnError.malformed(.clientData)) {
            try CollectedClientData(decoding: [0xef, 0xbb, 0xbf] + marked)
        }
    }

    @Test(
        "a member of another type, missing, or there twice, is refused",
        arguments: [
            #"{"challenge":"AAAA","origin":"https://example.org"}"#,
            #"{"type":"webauthn.get","origin":"https://example.org"}"#,
            #"{"type":"webauthn.get","challenge":"AAAA"}"#,
            #"{"type":1,"challenge":"AAAA","origin":"https://example.org"}"#,
            #"{"type":"webauthn.get","challenge":null,"origin":"https://example.org"}"#,
            #"{"type":"webauthn.get","challenge":"AAAA","origin":["https://example.org"]}"#,
            #"{"type":"webauthn.get","challenge":"AAA=","origin":"https://example.org"}"#,
            #"{"type":"webauthn.get","challenge":"AAB","origin":"https://example.org"}"#,
            #"{"type":"webauthn.get","challenge":"AA+A","origin":"https://example.org"}"#,
            #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.org","crossOrigin":"false"}"#,
            #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.org","crossOrigin":null}"#,
            #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.org","topOrigin":false}"#,
            #"{"type":"webauthn.get","type":"webauthn.get","challenge":"AAAA","origin":"https://example.org"}"#,
            #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.org","a":[[[[[[[[1]]]]]]]]}"#,
            #"["webauthn.get"]"#, "", "{}",
            #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.org"}x"#,
        ])
    func malformed(_ text: String) {
        #expect(throws: WebAuthnError.malformed(.clientData)) { try CollectedClientData(decoding: Array(text.utf8)) }
    }

    @Test("text that is not UTF-8, and more bytes than the limit, are refused")
    func bytes() throws {
        var wrong = Self.bytes()
        wrong[wrong.count - 4] = 0xff
        #expect(throws: WebAuthnError.malformed(.clientData)) { try CollectedClientData(decoding: wrong) }
        let limit = WebAuthnLimits.clientDataBytes
        func padded(to count: Int) -> [UInt8] {
            let shortest = Self.bytes(#","x":"""#)
            return Self.bytes(#","x":"\#(String(repeating: "x", count: count - shortest.count))""#)
        }
        _ = try CollectedClientData(decoding: padded(to: limit))
        #expect(throws: WebAuthnError.malformed(.clientData)) {
            try CollectedClientData(decoding: padded(to: limit + 1))
        }
    }

    @Test("mutated client data are read or refused, and the hash covers the bytes")
    func fuzz() {
        let seeds = [
            Self.bytes(), Self.bytes(#","crossOrigin":true,"topOrigin":"https://example.com""#),
            [0xef, 0xbb, 0xbf] + Self.bytes(#","a":{"b":[1,2]}"#), CeremonyVector.none.registration.clientData,
        ]
        Fuzz.mutations(of: seeds, iterations: 10_000) { bytes in
            guard let data = try? CollectedClientData(decoding: bytes) else { return }
            #expect(data.hash == Array(SHA256.hash(data: bytes)))
        }
    }
}
