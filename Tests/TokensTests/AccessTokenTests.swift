import Encoding
import TestSupport
import Testing
import Time
import Tokens

@Suite("Access tokens")
struct AccessTokenTests {
    let session: Session
    let token: AccessToken
    let text: String
    let header: JSON
    let claims: JSON

    init() throws {
        session = try Session()
        token = try session.token()
        text = token.signed(by: session.server)
        let decoded = try parts(of: text)
        header = try JSON(decoding: decoded[0])
        claims = try JSON(decoding: decoded[1])
    }

    private func verify(_ header: JSON, _ claims: JSON, now: Timestamp = .noon) throws -> AccessToken.Verified {
        try session.verifier().verify(signedText(header, claims, by: session.server), now: now)
    }

    @Test("a verified token has the claims that were signed")
    func roundTrip() throws {
        #expect(try session.verifier().verify(text, now: .noon).token == token)
        #expect(text.utf8.count < 800)
    }

    @Test("header and claims are those of RFC 9068, bound to a key as in RFC 9449 section 6.1")
    func shape() throws {
        #expect(header.object?.names == ["alg", "typ", "kid"])
        #expect(header["typ"] == "at+jwt")
        #expect(header["kid"] == .string(session.server.publicKey.thumbprint.description))
        #expect(
            claims.object?.names == [
                "iss", "sub", "aud", "exp", "iat", "jti", "client_id", "sid", "cnf", "auth_time", "acr", "amr", "scope",
            ])
        #expect(claims["iat"] == 1_795_262_400)
        #expect(claims["auth_time"] == 1_795_262_340)
        #expect(claims["cnf"] == ["jkt": .string(session.device.publicKey.thumbprint.description)])
        #expect(claims["amr"] == ["swk", "user", "mfa", "pop"])
        #expect(claims["acr"] == "urn:fueki:aal2")
        #expect(claims["scope"] == "session trade")
    }

    @Test("a lifetime is up to a twentieth shorter, never longer, and no two tokens have the same id")
    func jitter() throws {
        var lifetimes: Set<Int64> = []
        var ids: Set<AccessTokenID> = []
        for _ in 0..<500 {
            let token = try session.token()
            let seconds = token.expiresAt.since(token.issuedAt).milliseconds / 1000
            #expect((855...900).contains(seconds))
            lifetimes.insert(seconds)
            ids.insert(token.id)
        }
        #expect(lifetimes.count > 30)
        #expect(ids.count == 500)
    }

    @Test("a token is accepted up to its last second and the leeway, and no longer")
    func expiry() throws {
        let end = token.expiresAt
        let last = end.adding(Timestamp.Span(milliseconds: -1))
        #expect(try session.verifier().verify(text, now: last).token == token)
        #expect(throws: TokensError.expired) { try session.verifier().verify(text, now: end) }
        let lenient = try session.verifier(leeway: .seconds(5))
        #expect(try lenient.verify(text, now: end + 4).token == token)
        #expect(throws: TokensError.expired) { try lenient.verify(text, now: end + 5) }
    }

    @Test("every other error is found before the signature is verified, which costs the most")
    func signatureIsLast() throws {
        let unsigned = { (claims: JSON) in
            "\(Base64URL.encode(header.encoded)).\(Base64URL.encode(claims.encoded)).\(String(repeating: "A", count: 86))"
        }
        let verifier = try session.verifier()
        #expect(throws: TokensError.badSignature) { try verifier.verify(unsigned(claims), now: .noon) }
        #expect(throws: TokensError.expired) { try verifier.verify(unsigned(claims), now: token.expiresAt) }
        #expect(throws: TokensError.wrongClaim(.issuer)) {
            try verifier.verify(unsigned(try claims.setting("iss", to: "x")), now: .noon)
        }
        let unverified = try verifier.read(unsigned(claims), now: .noon)
        #expect(unverified.uncheckedToken == token)
        #expect(throws: TokensError.badSignature) { try unverified.verified() }
    }

    @Test("another issuer or audience is refused, even one that looks alike")
    func issuerAndAudience() throws {
        for issuer in ["https://auth.example.com/", "https://auth.example.org", "", "https://AUTH.example.com"] {
            #expect(throws: TokensError.wrongClaim(.issuer)) {
                try verify(header, try claims.setting("iss", to: .string(issuer)))
            }
        }
        #expect(throws: TokensError.wrongClaim(.audience)) {
            try verify(header, try claims.setting("aud", to: "https://other.example.com/api"))
        }
        #expect(throws: TokensError.wrongClaim(.audience)) {
            try verify(header, try claims.setting("aud", to: [.string(Session.audience), "https://evil.example.com"]))
        }
        // "e" with a combining accent, and "é": equal for String.
        let accented = AccessToken.Verifier(
            issuer: "https://é", audience: Session.audience,
            keys: try VerificationKeys(current: session.server.publicKey, next: [], retired: []))
        let text = signedText(header, try claims.setting("iss", to: "https://e\u{301}"), by: session.server)
        #expect(throws: TokensError.wrongClaim(.issuer)) { try accented.verify(text, now: .noon) }
    }

    @Test(
        "each claim must be there, and be what it is",
        arguments: [
            ("iss", TokensError.Claim.issuer), ("sub", .subject), ("aud", .audience), ("exp", .expiry),
            ("iat", .issuedAt), ("jti", .identifier), ("client_id", .client), ("sid", .session), ("cnf", .confirmation),
            ("auth_time", .authenticationTime), ("acr", .authenticationContext), ("amr", .authenticationMethods),
            ("scope", .scope),
        ])
    func claim(_ name: String, _ claim: TokensError.Claim) throws {
        let broken: [JSON?] = [
            nil, .null, true, [], ["jkt": "x"], .number(try JSON.Number("1795262400.5")), ["pop", 1],
        ]
        for value in broken where !(name == "amr" && value == []) {
            #expect(throws: TokensError.wrongClaim(claim)) {
                try verify(header, try claims.setting(name, to: value))
            }
        }
    }

    @Test("an unknown assurance or method is refused")
    func unknownValues() throws {
        #expect(throws: TokensError.wrongClaim(.authenticationContext)) {
            try verify(header, try claims.setting("acr", to: "urn:fueki:aal4"))
        }
        for methods: JSON in [["sms"], ["pop", "pop"], ["pop", "sms"], ["POP"]] {
            #expect(throws: TokensError.wrongClaim(.authenticationMethods)) {
                try verify(header, try claims.setting("amr", to: methods))
            }
        }
    }

    @Test("a token of another type, such as an id token or a proof, is refused")
    func types() throws {
        for type: JSON? in [nil, "JWT", "dpop+jwt", "AT+JWT", "application/at+jwt", 1] {
            #expect(throws: TokensError.wrongType) { try verify(try header.setting("typ", to: type), claims) }
        }
    }

    @Test("a key is chosen by its id among the published ones, and by nothing else in the token")
    func keys() throws {
        let stranger = SigningKey.seeded(99)
        // A right key id that is not published; the server's key id with another signature; no key id.
        let strangers: JSON = .string(stranger.publicKey.thumbprint.description)
        #expect(throws: TokensError.unknownKey) {
            try session.verifier().verify(token.signed(by: stranger), now: .noon)
        }
        #expect(throws: TokensError.badSignature) {
            try session.verifier().verify(signedText(header, claims, by: stranger), now: .noon)
        }
        for kid: JSON? in [nil, "", 1, strangers, "../../dev/null"] {
            #expect(throws: TokensError.unknownKey) { try verify(try header.setting("kid", to: kid), claims) }
        }
        // It contains its own key.
        let own = try header.setting("jwk", to: stranger.publicKey.json)
        #expect(throws: TokensError.forbiddenHeader) {
            try session.verifier().verify(signedText(own, claims, by: stranger), now: .noon)
        }
        #expect(throws: TokensError.forbiddenHeader) { try verify(own, claims) }
    }

    @Test("tokens of the next and of a retired key verify; those of a removed key do not")
    func rotation() throws {
        let keys = (11...14).map { SigningKey.seeded($0) }
        let verifier = AccessToken.Verifier(
            issuer: Session.issuer, audience: Session.audience,
            keys: try VerificationKeys(
                current: keys[0].publicKey, next: [keys[1].publicKey], retired: [keys[2].publicKey]))
        for key in keys.prefix(3) { #expect(try verifier.verify(token.signed(by: key), now: .noon).token == token) }
        #expect(throws: TokensError.unknownKey) { try verifier.verify(token.signed(by: keys[3]), now: .noon) }
    }
}
