internal import Encoding
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import WebAuthn

@Suite("Relying parties")
struct RelyingPartyTests {
    private static func party(
        _ origins: [String], related: [String] = [], embedding: RelyingParty.Embedding = .refused,
        id: String = "example.org"
    ) throws -> RelyingParty {
        try RelyingParty(
            id: RelyingPartyID(id), name: "Example", origins: origins.map { try Origin($0) },
            relatedOrigins: related.map { try Origin($0) }, embedding: embedding)
    }

    @Test("identifiers are domains in lower case, or localhost")
    func identifiers() throws {
        for good in ["example.org", "a.b.c.example.org", "xn--bcher-kva.example", "localhost", "1.example", "a-b.org"] {
            #expect(try RelyingPartyID(good).text == good)
        }
        #expect(
            try hex(RelyingPartyID("example.org").hash)
                == "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5")
        let long = String(repeating: "a", count: 64)
        for wrong in [
            "", "org", "Example.org", "example.org.", ".example.org", "exa mple.org", "https://example.org",
            "example.org:443", "127.0.0.1", "[::1]", "bücher.example", "-a.org", "a-.org", "a..org", "\(long).org",
            Array(repeating: "abcdefgh", count: 29).joined(separator: "."), "a_b.org", "example.123",
        ] {
            #expect(throws: WebAuthnError.malformed(.relyingPartyID), "\(wrong)") { try RelyingPartyID(wrong) }
        }
    }

    @Test("origins have the browsers' form")
    func origins() throws {
        let app = "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 32))
        for good in [
            "https://example.org", "https://example.org:8443", "https://localhost", "http://localhost",
            "http://localhost:8080", "https://example.org:80", app,
        ] {
            #expect(try Origin(good).text == good)
        }
        for wrong in [
            "", "null", "example.org", "https://", "https://example.org/", "https://example.org/a",
            "https://Example.org",
            "HTTPS://example.org", "http://example.org", "http://127.0.0.1", "https://example.org:443",
            "http://localhost:80", "https://example.org:", "https://example.org:0", "https://example.org:080",
            "https://example.org:65536", "https://example.org:+1", "https://user@example.org",
            "https://example.org:8:8",
            "ftp://example.org", "https://example.org?", "android:apk-key-hash:AAAA", app + "=", "https://[::1]",
            "https://\(Array(repeating: "abcdefgh", count: 40).joined(separator: "."))",
        ] {
            #expect(throws: WebAuthnError.malformed(.origin), "\(wrong)") { try Origin(wrong) }
        }
    }

    @Test("its own origins are in its domain, or apps; related origins are in other domains")
    func domains() throws {
        let app = "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 32))
        _ = try Self.party(["https://example.org", "https://a.b.example.org:8443", app])
        _ = try Self.party(["http://localhost:8080"], id: "localhost")
        for foreign in ["https://example.com", "https://notexample.org", "https://example.org.com", "http://localhost"]
        {
            #expect(throws: WebAuthnError.foreignOrigin, "\(foreign)") { try Self.party([foreign]) }
        }
        for wrong in ["https://example.org", "https://www.example.org", app, "http://localhost"] {
            #expect(throws: WebAuthnError.foreignOrigin, "\(wrong)") {
                try Self.party(["https://example.org"], related: [wrong])
            }
        }
        #expect(throws: WebAuthnError.malformed(.origin)) { try Self.party([]) }
        let many = (0...WebAuthnLimits.origins).map { "https://\($0).example.org" }
        #expect(throws: WebAuthnError.malformed(.origin)) { try Self.party(many) }
        #expect(throws: WebAuthnError.malformed(.origin)) {
            try Self.party(["https://example.org"], embedding: .allowed(in: many.map { try Origin($0) }))
        }
    }

    @Test("related origins are accepted, and a document for browsers lists them")
    func related() throws {
        let party = try Self.party(
            ["https://example.org"], related: ["https://example.com", "https://example.net:8443"])
        #expect(
            party.relatedOriginsDocument?.text == #"{"origins":["https://example.com","https://example.net:8443"]}"#)
        #expect(try Self.party(["https://example.org"]).relatedOriginsDocument == nil)
        let challenge = Challenge(from: SystemRandom())
        func check(_ origin: String) throws {
            let text = """
                {"type":"webauthn.get","challenge":"\(Base64URL.encode(challenge.bytes))","origin":"\(origin)"}
                """
            try party.check(CollectedClientData(decoding: Array(text.utf8)), is: .get, answering: challenge)
        }
        for origin in ["https://example.org", "https://example.com", "https://example.net:8443"] { try check(origin) }
        for origin in [
            "https://example.net", "https://www.example.com", "https://EXAMPLE.org", "https://example.org:443",
        ] {
            #expect(throws: WebAuthnError.wrongOrigin, "\(origin)") { try check(origin) }
        }
    }

    @Test("challenges have at least 16 bytes, and two are never equal")
    func challenges() throws {
        #expect(throws: WebAuthnError.malformed(.challenge)) { try Challenge([UInt8](repeating: 1, count: 15)) }
        #expect(throws: WebAuthnError.malformed(.challenge)) { try Challenge([UInt8](repeating: 1, count: 1025)) }
        let challenge = try Challenge([UInt8](repeating: 1, count: 16))
        #expect(challenge.matches([UInt8](repeating: 1, count: 16)))
        #expect(!challenge.matches([UInt8](repeating: 1, count: 17)))
        #expect(!challenge.matches([]))
        #expect(Challenge(from: SystemRandom()).bytes.count == 32)
        #expect(Challenge(from: SystemRandom()).bytes != Challenge(from: SystemRandom()).bytes)
        #expect(Challenge(from: SeededRandom(seed: 1)).bytes == SeededRandom(seed: 1).publicBytes(count: 32))
    }

    @Test("users have a handle of 1 to 64 bytes, and names within the limits")
    func users() throws {
        for count in [0, 65] {
            #expect(throws: WebAuthnError.malformed(.userHandle)) {
                try UserHandle([UInt8](repeating: 1, count: count))
            }
        }
        let long = String(repeating: "é", count: 129)
        for (name, display) in [(long, ""), ("", long)] {
            #expect(throws: WebAuthnError.malformed(.userName)) {
                try User(handle: Ceremonies.user, name: name, displayName: display)
            }
        }
    }

    @Test("signals have the options that browsers expect")
    func signals() throws {
        let party = try Self.party(["https://example.org"])
        let id = try CredentialID([1, 2, 3])
        #expect(
            CredentialSignal.unknownCredential(id).json(of: party).text
                == #"{"rpId":"example.org","credentialId":"AQID"}"#)
        #expect(
            CredentialSignal.allAcceptedCredentials(of: Ceremonies.user, [id]).json(of: party).text == """
                {"rpId":"example.org","userId":"AQEBAQEBAQEBAQEBAQEBAQ","allAcceptedCredentialIds":["AQID"]}
                """)
        let user = try User(handle: Ceremonies.user, name: "ada", displayName: "Ada")
        #expect(
            CredentialSignal.currentUserDetails(user).json(of: party).text == """
                {"rpId":"example.org","userId":"AQEBAQEBAQEBAQEBAQEBAQ","name":"ada","displayName":"Ada"}
                """)
    }
}
